package web

import (
	"html/template"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/agentnet/netctl/server/guide"
)

// guidePage is one document of the guide.
type guidePage struct {
	guide.Topic
	Topics []guide.Topic
	HTML   template.HTML // the document is part of the program, so it is trusted
}

// wideParts lets what may be wider than a page scroll by itself, also by keyboard.
var wideParts = strings.NewReplacer(
	"<table>", `<div class="scroll" role="region" aria-label="Table" tabindex="0"><table>`,
	"</table>", "</table></div>",
	"<th>", `<th scope="col">`,
	"<pre>", `<pre tabindex="0">`)

// guideScreen shows a document of the guide.
func guideScreen(t guide.Topic) (*screen, error) {
	var out strings.Builder
	if err := goldmark.New(goldmark.WithExtensions(extension.Table)).Convert([]byte(t.Text), &out); err != nil {
		return nil, err
	}
	return &screen{name: "guide", title: t.Title, data: guidePage{t, guide.Topics(), template.HTML(wideParts.Replace(out.String()))}}, nil
}
