package examples

import "embed"

// Files holds the recordings with their transcripts (audio) and the playbooks
// (playbooks, those of playbooks/bad being refused).
//
//go:embed audio/*.mp3 audio/*.wav audio/*.ogg audio/*.vtt playbooks/*.json playbooks/bad/*.json
var Files embed.FS
