package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// setting is one thing that can be configured: by a flag, else by the
// environment, else by the file, else it has a default.
type setting struct {
	key, about string
	fallback   any
	check      func(string) error // nil takes anything that the type takes
	secret     bool               // never shown, and never kept in the file
	live       bool               // a running server takes a change when it reloads
}

// settingKeys lists all of them. A key's flag is named like its last part.
var settingKeys = []setting{
	{key: "context", about: "context that commands go to", fallback: localContext},
	{key: "data", about: "folder of a network on this machine", fallback: ""},
	{key: "url", about: "address of a running network's API", fallback: ""},
	{key: "intent-url", about: "address of its intent listener, if that is another", fallback: ""},
	{key: "token", about: "bearer token for url; a context keeps its own", fallback: "", secret: true},
	{key: "as", about: "who to act as on a local network; the operator if empty", fallback: ""},
	{key: "output", about: "form of results", fallback: "table", check: oneOf("table", "json", "yaml")},
	{key: "quiet", about: "say nothing on standard error but errors", fallback: false, check: boolean},
	{key: "yes", about: "answer yes to every question", fallback: false, check: boolean},
	{key: "no-input", about: "never ask", fallback: false, check: boolean},
	{key: "spend.auto", about: "most credits that one command spends without asking", fallback: "0", check: credits},
	{key: "timeout", about: "of one attempt at a request", fallback: "30s", check: duration},
	{key: "total-timeout", about: "of a request with all its attempts", fallback: "45s", check: duration},
	{key: "retries", about: "of a request that failed for a time", fallback: 3, check: wholeNumber},
	{key: "serve.addr", about: "where the API listens", fallback: "127.0.0.1:8787"},
	{key: "serve.intent-addr", about: "where the intent listener does", fallback: "127.0.0.1:8788"},
	{key: "serve.monitor-addr", about: "where /livez, /readyz, /metrics and profiles are served; nowhere if empty", fallback: ""},
	{key: "serve.domain", about: "names or addresses that the network is served at by HTTPS, with spaces between; an authority issues their certificate unless serve.tls-cert is set", fallback: "", check: domainList},
	{key: "serve.tls-addr", about: "where HTTPS is served, with serve.domain or serve.tls-cert", fallback: ":443"},
	{key: "serve.http-addr", about: "where plain HTTP leads to HTTPS and an authority checks names; nowhere if off", fallback: ":80"},
	{key: "serve.tls-cert", about: "file of a certificate with its chain, in PEM; a change is noticed", fallback: ""},
	{key: "serve.tls-key", about: "file of its key", fallback: ""},
	{key: "serve.acme-directory", about: "address of the authority's directory; Let's Encrypt if empty", fallback: ""},
	{key: "serve.acme-root", about: "file of the roots by which the authority itself is trusted, in PEM; those of the system if empty", fallback: ""},
	{key: "serve.acme-email", about: "where the authority writes about certificates; nowhere if empty", fallback: ""},
	{key: "serve.spawn", about: "who may spawn agents", fallback: "open", check: oneOf("open", "invite"), live: true},
	{key: "serve.role", about: "listeners of a server: all, api or intent; api and intent need a journal that several servers share", fallback: "all", check: oneOf("all", "api", "intent")},
	{key: "serve.base-url", about: "where the network is reached from outside, for feeds and invitations", fallback: ""},
	{key: "serve.host", about: "further names that the network answers to, with spaces between", fallback: ""},
	{key: "serve.trusted-proxy", about: "reverse proxies whose X-Forwarded-For is believed, as addresses or prefixes with spaces between", fallback: "", check: prefixList},
	{key: "serve.accept-clock", about: "start although the clock is far from the last entry", fallback: false, check: boolean},
	{key: "serve.no-night", about: "leave closing the day at 00:05 UTC to netctl badges issue", fallback: false, check: boolean},
	{key: "serve.log-file", about: "file for the request log; standard error if empty", fallback: ""},
	{key: "serve.log-format", about: "form of the log", fallback: "json", check: oneOf("json", "text")},
	{key: "serve.log-level", about: "least level that is logged", fallback: "info", check: oneOf("debug", "info", "warn", "error"), live: true},
	{key: "serve.log-size", about: "MiB after which the log file is rotated; a day rotates it too", fallback: 100, check: positive, live: true},
	{key: "serve.log-keep", about: "how long rotated log files are kept", fallback: "180d", check: wholeDays, live: true},
	{key: "serve.rate", about: "requests a second of one party or address", fallback: 50, check: positive, live: true},
	{key: "serve.allowance", about: "entries that cost nothing, of one party in a UTC day; 0 means no limit", fallback: 2000, check: wholeNumber},
	{key: "serve.address-allowance", about: "the same of all parties at one address; 0 means no limit", fallback: 10000, check: wholeNumber},
	{key: "serve.address-connections", about: "connections that one address may have open; 0 means a tenth of all that the limit of open files allows", fallback: 0, check: wholeNumber},
	{key: "serve.address-streams", about: "event streams that all parties at one address may have open; 0 means a tenth of all", fallback: 0, check: wholeNumber, live: true},
	{key: "serve.wait", about: "refuse commands with 503 while others have waited longer; 0 means no bound", fallback: "250ms", check: durationOrNone, live: true},
	{key: "serve.recordings-day", about: "MiB of recordings that one party may store in a UTC day; 0 means no limit", fallback: 500, check: wholeNumber, live: true},
	{key: "serve.recordings-unpublished", about: "MiB of recordings that one party may hold without a dispatch; 0 means no limit", fallback: 200, check: wholeNumber, live: true},
	{key: "serve.spawn-rate", about: "agents an hour that one address may spawn", fallback: 20, check: positive, live: true},
	{key: "serve.space-floor", about: "MiB of free disk space below which nothing is written; 0 means no floor", fallback: 64, check: wholeNumber},
	{key: "serve.witness", about: "witnesses of the log, each as ADDRESS#KEY, with spaces between", fallback: "", check: witnessList},
	{key: "serve.quorum", about: "how many witnesses must cosign before a checkpoint is shown", fallback: 0, check: wholeNumber},
	{key: "serve.journal", about: "PostgreSQL database that several servers share, as postgres://ROLE@HOST/DATABASE; none if empty", fallback: "", check: engineURL},
	{key: "serve.journal-owner", about: "connect to it although the role may change or remove entries", fallback: false, check: boolean},
	{key: "serve.cluster", about: "serve as a node of the cluster that the folder joined", fallback: false, check: boolean},
	{key: "serve.cluster-addr", about: "host and port where the other nodes of a cluster reach this one, below 32768; the one of the first start if empty", fallback: "", check: clusterAddress},
	{key: "serve.cluster-site", about: "how far apart the nodes of a cluster are: one for some milliseconds, or wan", fallback: "one", check: oneOf("one", "wan")},
	{key: "serve.node-name", about: "name of this server among those that share a journal; random if empty, and kept in the folder", fallback: ""},
	{key: "serve.node-address", about: "where the others reach it, as http://HOST:PORT or https://HOST; serve.addr if empty", fallback: "", check: nodeURL},
	{key: "serve.archive", about: "archive to which the journal is copied as it grows, file:///FOLDER or s3://BUCKET/FOLDER; nowhere if empty", fallback: "", check: archiveURL},
	{key: "serve.archive-recipient", about: "public keys of age that open the private side of the archive, or files of them, with spaces between; backup.recipient if empty", fallback: ""},
	{key: "serve.archive-sync", about: "acknowledge only what is in the archive", fallback: false, check: boolean},
	{key: "serve.archive-patience", about: "stop writing while the archive is out of reach for longer; 0 never does", fallback: "0", check: spanOrNone},
	{key: "backup.to", about: "folder of backups, file of one, or s3://BUCKET/FOLDER", fallback: ""},
	{key: "backup.recipient", about: "public keys of age that can restore backups, or files of them, with spaces between", fallback: ""},
	{key: "backup.every", about: "time between backups of a running server; 0 makes none", fallback: "0", check: spanOrNone},
	{key: "backup.keep", about: "age at which a backup in backup.to is removed", fallback: "35d", check: duration},
	{key: "btdt.detector", about: "detector that finds more in playbooks: an address that answers Presidio's POST /analyze, or a command line; none if empty", fallback: ""},
	{key: "serve.network", about: "id of a network that is begun; random if empty", fallback: ""},
}

// flag returns the name of the setting's flag.
func (k *setting) flag() string { return k.key[strings.LastIndexByte(k.key, '.')+1:] }

// env returns the name of the setting's environment variable.
func (k *setting) env() string {
	return "NETCTL_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(k.key))
}

// applies reports whether the command's flag of that name is this setting's:
// only netctl serve sets serve.addr.
func (k *setting) applies(cmd *cobra.Command) bool {
	group, _, nested := strings.Cut(k.key, ".")
	return !nested || cmd.Name() == group || cmd.Name() == "init" && (group == "serve" || group == "backup")
}

// settingOf finds a setting by its key.
func settingOf(key string) (*setting, error) {
	for i := range settingKeys {
		if settingKeys[i].key == key {
			return &settingKeys[i], nil
		}
	}
	return nil, usage(fmt.Errorf("there is no setting %q; netctl config ls lists them", key))
}
