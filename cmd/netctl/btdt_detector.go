package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit/btdt"
	"github.com/agentnet/netctl/netkit/btdt/detector"
	"github.com/agentnet/netctl/netkit/plural"
)

// detecting holds the flags for detectors of the user's own, and those that are open.
type detecting struct {
	named           []string // addresses and command lines, in place of the setting
	remote, without bool
	all             []openDetector
}

// openDetector is a detector with the number of quotations that no text held.
type openDetector interface {
	btdt.Detector
	Missed() int
}

func (o *detecting) flags(f *pflag.FlagSet) {
	f.StringArrayVar(&o.named, "detector", nil, "`ADDRESS|COMMAND` that finds more, in place of the setting btdt.detector; may be repeated")
	f.BoolVar(&o.remote, "detector-remote", false, "allow a detector on another host, which gets the whole unscrubbed text; it asks once for each host")
	f.BoolVar(&o.without, "without-detector", false, "do without the detector of the settings")
}

// open opens the detectors of the flags, else of the settings. Close ends them, and
// counts the quotations that no text holds.
func (o *detecting) open(c *call) (err error) {
	named := o.named
	if setting := c.set.v.GetString("btdt.detector"); len(named) == 0 && setting != "" {
		named = []string{setting}
	}
	if o.without && len(named) > 0 {
		c.talk("without %s: --without-detector leaves it out", plural.Count(len(named), "detector", "detectors"))
		return nil
	}
	for _, name := range named {
		d, err := o.openOne(c, name)
		if err != nil {
			return errors.Join(err, o.close(c))
		}
		o.all = append(o.all, d)
	}
	return nil
}

func (o *detecting) openOne(c *call, name string) (openDetector, error) {
	if !isAddress(name) {
		return detector.NewCommand(name, c.err), nil
	}
	if detector.Remote(name) {
		if err := o.agreeRemote(c, name); err != nil {
			return nil, err
		}
	}
	d, err := detector.NewAddress(name, detector.AddressConfig{Remote: o.remote})
	if err != nil {
		return nil, usage(fmt.Errorf("btdt.detector: %w", err))
	}
	return d, nil
}

// isAddress reports whether a detector is an address rather than a command line.
func isAddress(name string) bool {
	scheme, _, ok := strings.Cut(name, "://")
	return ok && !strings.ContainsAny(scheme, " /'\"")
}

// close ends the programs among the detectors.
func (o *detecting) close(c *call) error {
	var wrong []error
	for _, d := range o.all {
		if n := d.Missed(); n > 0 {
			c.talk("a detector quoted %s that no text holds; they were dropped", plural.Count(n, "part", "parts"))
		}
		if p, ok := d.(*detector.Command); ok {
			wrong = append(wrong, p.Close())
		}
	}
	o.all = nil
	return errors.Join(wrong...)
}

// detectors are those that a scrubber asks.
func (o *detecting) detectors() (all []btdt.Detector) {
	for _, d := range o.all {
		all = append(all, failingDetector{d})
	}
	return all
}

// failingDetector adds the way to go without a detector to its errors.
type failingDetector struct{ openDetector }

// Detect implements btdt.Detector.
func (d failingDetector) Detect(ctx context.Context, path, text, language string) ([]btdt.Finding, error) {
	found, err := d.openDetector.Detect(ctx, path, text, language)
	if err != nil {
		err = fmt.Errorf("%w; nothing was stripped or sent: mend it, or go without it (--without-detector)", err)
	}
	return found, err
}

// scrubber applies decisions and asks the detectors.
func (o *detecting) scrubber(d *decisions) *btdt.Scrubber {
	s := d.scrubber()
	s.Detectors = o.detectors()
	return s
}

// detected runs an action with the detectors open.
func (o *detecting) detected(c *call, action func() error) error {
	if err := o.open(c); err != nil {
		return err
	}
	err := action()
	return errors.Join(err, o.close(c))
}

// sentTo is the notice about a detector on another host.
func sentTo(host string) string { return "the whole unscrubbed text is sent to " + host }

// agreeRemote asks once for each host whether texts may be sent there. Only typing its
// name agrees: neither --yes nor a setting does.
func (o *detecting) agreeRemote(c *call, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return usage(errors.New("btdt.detector is no address"))
	}
	if !o.remote {
		return usage(fmt.Errorf("btdt.detector is on another host: %s. --detector-remote allows it", sentTo(u.Host)))
	}
	if u.Scheme != "https" {
		return usage(fmt.Errorf("a detector on another host needs https: %s", sentTo(u.Host)))
	}
	agreed, err := c.consents()
	if err != nil || slices.Contains(agreed, u.Host) {
		return err
	}
	if !c.asks() {
		return usage(fmt.Errorf("nothing was done: %s, and that must be agreed to once on a terminal: netctl btdt scrub FILE --detector-remote", sentTo(u.Host)))
	}
	c.talk("%s, before anything is stripped. netctl does not know what is kept there.", sentTo(u.Host))
	answer, err := c.ask("Type " + u.Host + " to agree: ")
	if err != nil {
		return err
	}
	if answer != u.Host {
		return errors.New("nothing was done: the host was not typed")
	}
	return c.addConsent(u.Host)
}

// consentFile lists the hosts that the user agreed to send texts to, a line each.
const consentFile = "detector-hosts"

func (c *call) consents() ([]string, error) {
	dir, err := c.configDir()
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(dir, consentFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return strings.Fields(string(data)), err
}

func (c *call) addConsent(host string) error {
	dir, err := c.configDir()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, consentFile), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, host)
	return errors.Join(err, f.Close())
}

// args are the flags that were given.
func (o *detecting) args() (all []string) {
	for _, name := range o.named {
		all = append(all, "--detector", name)
	}
	if o.remote {
		all = append(all, "--detector-remote")
	}
	if o.without {
		all = append(all, "--without-detector")
	}
	return all
}
