package web

// What tests of how text is written call.
var (
	MarkdownQuote = markdownQuote
	Visible       = shown
)
