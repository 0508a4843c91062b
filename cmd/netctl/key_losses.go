package main

import "fmt"

// keyLosses says, on the first day, what the loss of each key of a folder means, and
// who could restore it.
func (a *app) keyLosses(dir string) string {
	text := fmt.Sprintf(`If this disk fails, what is lost with %s:

    log.key         the network can never sign again, and does not start
    journal         every balance, contract and text
    signing.key     links to recordings, invitations; the next start makes another
    operator.token  netctl operator add makes another operator on this machine

`, dir)
	if all, err := a.set.recipients(); err == nil && len(all) > 0 {
		return text + "Backups hold all of it; netctl backup makes one now.\n"
	}
	return text + `A backup holds all of it, and nobody is set to restore one. Do so now:

    age-keygen -o backup.key     # keep this file away from this machine
    netctl config set backup.recipient age1…
    netctl config set backup.to FOLDER && netctl config set backup.every 24h

netctl help worst-days describes each way back.
`
}
