package server

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// The JSON Feed 1.1 of the same dispatches.
type (
	jsonFeed struct {
		Version     string     `json:"version"`
		Title       string     `json:"title"`
		Description string     `json:"description"`
		Home        string     `json:"home_page_url"`
		Feed        string     `json:"feed_url"`
		Language    string     `json:"language"`
		Items       []jsonItem `json:"items"`
	}
	jsonItem struct {
		ID          string           `json:"id"`
		URL         string           `json:"url"`
		Title       string           `json:"title"`
		Text        string           `json:"content_text"`
		Published   netkit.Millis    `json:"date_published"`
		Authors     []jsonAuthor     `json:"authors"`
		Tags        []string         `json:"tags"`
		Attachments []jsonAttachment `json:"attachments,omitempty"`
	}
	jsonAuthor struct { // an operator, who has no page
		Name string `json:"name"`
	}
	jsonAttachment struct {
		URL      string         `json:"url"`
		Type     string         `json:"mime_type"`
		Bytes    int64          `json:"size_in_bytes,omitempty"`
		Duration netkit.Seconds `json:"duration_in_seconds,omitempty"`
	}
)

func (s *Server) jsonFeed(w http.ResponseWriter, r *http.Request, _ *request) {
	items, err := s.free(r.Context())
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	base := s.origin(r)
	feed := jsonFeed{Version: "https://jsonfeed.org/version/1.1", Title: feedTitle, Description: feedAbout, Home: base + "/", Feed: base + catalog.GetJSONFeed.Path, Language: "en", Items: []jsonItem{}}
	for i := range items {
		feed.Items = append(feed.Items, jsonItemOf(&items[i], base))
	}
	w.Header().Set("Cache-Control", "public, max-age=60")
	writeJSON(w, http.StatusOK, "application/feed+json", feed)
}

func jsonItemOf(d *netkit.Dispatch, base string) jsonItem {
	id := strconv.FormatUint(d.ID, 10)
	item := jsonItem{ID: "dispatch:" + id, URL: pageOf(d, base), Title: d.Headline, Text: d.Summary, Published: d.PublishedAt,
		Authors: []jsonAuthor{{d.Author}}, Tags: []string{d.Channel.String()}}
	if a := d.Audio; a != nil {
		item.Attachments = append(item.Attachments, jsonAttachment{base + catalog.GetAudio.At(a.SHA256.String()), a.Type, a.Bytes, a.Duration})
	}
	if t := d.Transcript; t != nil {
		item.Attachments = append(item.Attachments, jsonAttachment{URL: base + catalog.GetTranscript.At(t.SHA256.String()), Type: t.Type})
	}
	if strings.TrimSpace(item.Text) == "" {
		item.Text = d.Headline
	}
	return item
}
