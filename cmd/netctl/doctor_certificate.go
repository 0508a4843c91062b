package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"strings"
	"time"

	"github.com/agentnet/netctl/server/certs"
)

// checkCertificates judges the files of a certificate, and the certificate that a
// running server shows for each of its names.
func (c *call) checkCertificates(r running, served bool) (found []finding) {
	v := c.set.v
	var names []string
	if file := v.GetString("serve.tls-cert"); file != "" {
		leaf, err := certs.CheckFiles(file, v.GetString("serve.tls-key"))
		if err != nil {
			return []finding{{"certificate file", problem, plainly(err), "put a pair that belongs together in place: a running server keeps the one of before, and a start fails"}}
		}
		names = leaf.DNSNames
		found = append(found, judgeCertificate("certificate file", file, leaf))
	}
	if domains := strings.Fields(v.GetString("serve.domain")); len(domains) > 0 {
		names = domains
	}
	if !served || r.Public == "" {
		return found
	}
	if len(names) == 0 {
		names = []string{""}
	}
	for _, name := range names {
		found = append(found, shownCertificate(c.ctx, r.Public, name))
	}
	return found
}

// shownCertificate judges the certificate that a listener shows for a name. Whether
// strangers trust its issuer is not asked.
func shownCertificate(ctx context.Context, addr, name string) finding {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	d := tls.Dialer{Config: &tls.Config{ServerName: name, InsecureSkipVerify: true}} //nolint:gosec // its own server is asked for its dates
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return finding{"certificate", problem, fmt.Sprintf("https at %s shows none for %q: %s", addr, name, plainly(err)), "the log of netctl serve tells why; an authority must reach --http-addr or --tls-addr from outside"}
	}
	defer conn.Close()
	leaf := conn.(*tls.Conn).ConnectionState().PeerCertificates[0]
	if name != "" && leaf.VerifyHostname(strings.Replace(name, "*.", "x.", 1)) != nil {
		return finding{"certificate", problem, fmt.Sprintf("the one that https at %s shows is not for %s", addr, name), "see that --domain and the certificate name the same"}
	}
	return judgeCertificate("certificate", strings.TrimSpace("https at "+addr+" "+name), leaf)
}

// judgeCertificate judges how much of its time a certificate has left. Renewal is due
// with a third left.
func judgeCertificate(check, of string, leaf *x509.Certificate) finding {
	left := time.Until(leaf.NotAfter)
	f := finding{check, fine, fmt.Sprintf("of %s ends on %s", of, leaf.NotAfter.UTC().Format(time.DateOnly)), ""}
	switch {
	case left <= 0:
		f.State, f.Advice = problem, "renew it; netctl serve takes files that change, and the log tells why an authority issued none"
	case left < leaf.NotAfter.Sub(leaf.NotBefore)/5:
		f.State, f.Advice = note, "it should have been renewed by now: see the log of netctl serve, or whatever renews the files"
	}
	return f
}
