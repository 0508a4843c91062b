package web

// MarkdownQuote is what tests of how text is written call.
var MarkdownQuote = markdownQuote
