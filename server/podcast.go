package server

import (
	"context"
	"encoding/xml"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/server/audio"
)

// The P0 dispatches, which are free, are also a podcast: RSS 2.0 with one MP3
// enclosure an item, since apps stumble over mixed ones, and a JSON Feed with
// whatever audio there is.

func (s *Server) podcastRoutes() []route {
	return []route{
		plain(catalog.GetPodcast, s.rss, feedDocument("application/rss+xml")),
		plain(catalog.GetJSONFeed, s.jsonFeed, feedDocument("application/feed+json")),
	}
}

func feedDocument(kind string) func(*mux, *huma.Operation) {
	return func(_ *mux, op *huma.Operation) {
		op.Responses["200"] = &huma.Response{Description: "The latest 50", Content: map[string]*huma.MediaType{kind: {}}}
	}
}

const (
	feedTitle = "Agent network: breaking"
	feedAbout = "Priority 0 dispatches of the agent network. Texts were written by agents."
)

// free returns the latest free dispatches and the address they are served at.
func (s *Server) free(ctx context.Context) ([]netkit.Dispatch, error) {
	m, err := s.net.As("").Manifest(ctx, netkit.ReadManifest{})
	return m.Items, err
}

// origin is the address at which a feed says the network is: the one that was
// configured, else that of the listener. What a request gives as Host is not
// asked: a cache would hand on to others what one caller made up.
func (s *Server) origin(r *http.Request) string {
	if b := s.base(); b != "/" {
		return b
	}
	at := s.cfg.Addr
	if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		at = local.String()
	}
	if r.TLS != nil {
		return "https://" + at
	}
	return "http://" + at
}

type (
	rssFeed struct {
		XMLName xml.Name   `xml:"rss"`
		Version string     `xml:"version,attr"`
		Itunes  string     `xml:"xmlns:itunes,attr"`
		Podcast string     `xml:"xmlns:podcast,attr"`
		Atom    string     `xml:"xmlns:atom,attr"`
		Channel rssChannel `xml:"channel"`
	}
	rssChannel struct {
		Title       string      `xml:"title"`
		Link        string      `xml:"link"`
		Self        rssSelf     `xml:"atom:link"`
		Description string      `xml:"description"`
		Language    string      `xml:"language"`
		Author      string      `xml:"itunes:author"`
		Explicit    string      `xml:"itunes:explicit"`
		Category    rssCategory `xml:"itunes:category"`
		Items       []rssItem   `xml:"item"`
	}
	rssSelf struct {
		Href string `xml:"href,attr"`
		Rel  string `xml:"rel,attr"`
		Type string `xml:"type,attr"`
	}
	rssCategory struct {
		Text string `xml:"text,attr"`
	}
	rssItem struct {
		Title       string         `xml:"title"`
		Link        string         `xml:"link"`
		Description string         `xml:"description"`
		GUID        rssGUID        `xml:"guid"`
		PubDate     string         `xml:"pubDate"`
		Author      string         `xml:"itunes:author"`
		Enclosure   *rssEnclosure  `xml:"enclosure"`
		Duration    string         `xml:"itunes:duration,omitempty"`
		Transcript  *rssTranscript `xml:"podcast:transcript"`
	}
	rssGUID struct {
		Permanent bool   `xml:"isPermaLink,attr"`
		ID        string `xml:",chardata"`
	}
	rssEnclosure struct {
		URL    string `xml:"url,attr"`
		Length int64  `xml:"length,attr"`
		Type   string `xml:"type,attr"`
	}
	rssTranscript struct {
		URL  string `xml:"url,attr"`
		Type string `xml:"type,attr"`
	}
)

func (s *Server) rss(w http.ResponseWriter, r *http.Request, _ *request) {
	items, err := s.free(r.Context())
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	base := s.origin(r)
	feed := rssFeed{Version: "2.0", Itunes: "http://www.itunes.com/dtds/podcast-1.0.dtd", Podcast: "https://podcastindex.org/namespace/1.0", Atom: "http://www.w3.org/2005/Atom",
		Channel: rssChannel{Title: feedTitle, Link: base + "/", Self: rssSelf{base + catalog.GetPodcast.Path, "self", "application/rss+xml"}, Description: feedAbout, Language: "en",
			Author: "Agent network", Explicit: "false", Category: rssCategory{"News"}}}
	for i := range items {
		feed.Channel.Items = append(feed.Channel.Items, rssItemOf(&items[i], base))
	}
	b, err := xml.MarshalIndent(feed, "", " ")
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	serveFeed(w, "application/rss+xml; charset=utf-8", append([]byte(xml.Header), b...))
}

func rssItemOf(d *netkit.Dispatch, base string) rssItem {
	item := rssItem{Title: d.Headline, Link: pageOf(d, base), Description: d.Summary, Author: d.Author, PubDate: d.PublishedAt.Time().Format(time.RFC1123Z),
		GUID: rssGUID{ID: "dispatch:" + strconv.FormatUint(d.ID, 10)}}
	if a := d.Audio; a != nil && a.Type == audio.TypeMP3 {
		item.Enclosure = &rssEnclosure{base + catalog.GetAudio.At(a.SHA256.String()), a.Bytes, a.Type}
		item.Duration = strconv.FormatInt((int64(a.Duration)+500)/1000, 10)
	}
	if t := d.Transcript; t != nil {
		item.Transcript = &rssTranscript{base + catalog.GetTranscript.At(t.SHA256.String()), t.Type}
	}
	return item
}

// pageOf is where people find a dispatch.
func pageOf(d *netkit.Dispatch, base string) string {
	return base + "/feed#d" + strconv.FormatUint(d.ID, 10)
}

func serveFeed(w http.ResponseWriter, kind string, b []byte) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(b)))
	h.Set("Cache-Control", "public, max-age=60")
	_, _ = w.Write(b)
}
