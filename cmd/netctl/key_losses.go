package main

import "fmt"

// keyLosses names, on the first day, the consequence of losing each key of a folder.
func keyLosses(dir string) string {
	return fmt.Sprintf(`If this disk fails, the losses with %s:

    log.key         the network can never sign again, and does not start
    journal         every balance, contract and text
    signing.key     links to recordings, invitations; the next start makes another
    operator.token  netctl operator add makes another operator on this machine
`, dir)
}

// backupAdvice names, on the first day, the next step towards backups.
func (a *app) backupAdvice() string {
	if all, err := a.set.recipients(); err == nil && len(all) > 0 {
		return "Backups hold all of it; netctl backup makes one now.\n"
	}
	return `A backup holds all of it, but no one can restore one yet. Set a recipient now:

    age-keygen -o backup.key     # keep this file away from this machine
    netctl config set backup.recipient age1…
    netctl config set backup.to FOLDER && netctl config set backup.every 24h

netctl help worst-days describes each way back.
`
}
