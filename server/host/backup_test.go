package host

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/backup"
	"github.com/agentnet/netctl/server/audio"
)

// keyPair makes an identity of age and its recipient.
func keyPair(t testing.TB) ([]age.Identity, string) {
	t.Helper()
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	return []age.Identity{id}, id.Recipient().String()
}

// secret is a private text of the networks below.
const secret = "a reason that only its readers know"

// wave is a recording that begins with some words, a second of it.
func wave(words string) string {
	le := binary.LittleEndian
	head := append(le.AppendUint32([]byte("RIFF"), 36+16000), "WAVEfmt "...)
	head = le.AppendUint16(le.AppendUint16(le.AppendUint32(head, 16), 1), 1)
	head = le.AppendUint16(le.AppendUint16(le.AppendUint32(le.AppendUint32(head, 8000), 16000), 2), 16)
	head = le.AppendUint32(append(head, "data"...), 16000)
	return string(head) + words + strings.Repeat("\x00", 16000-len(words))
}

// lively is a network with an agent, a private text, and a dispatch with a recording.
func lively(t *testing.T, dir string) (h *Host, text, dispatch uint64, recording string) {
	t.Helper()
	h = begin(t, dir)
	spawned(t, h, "a", 20)
	op := h.Network.As("operator")
	role, err := op.SetRole(t.Context(), netkit.SetRole{Agent: "a-1", Role: "correspondent", Grant: true, Reason: secret})
	if err != nil {
		t.Fatal(err)
	}
	blob, err := h.Audio.Put(t.Context(), audio.Upload{By: "operator"}, strings.NewReader(wave("the sound of the dispatch")))
	if err != nil {
		t.Fatal(err)
	}
	ref := &netkit.AudioRef{Type: blob.Type, Bytes: blob.Bytes, Duration: netkit.Seconds(blob.Duration / time.Millisecond)}
	if err := ref.SHA256.UnmarshalText([]byte(blob.SHA256)); err != nil {
		t.Fatal(err)
	}
	d, err := op.Publish(t.Context(), netkit.Publish{Priority: netkit.P1, Channel: netkit.NicheLegal, Headline: "h", Audio: ref})
	if err != nil {
		t.Fatal(err)
	}
	return h, role.Seq, d.Seq, blob.SHA256
}

// privateOf reads the private part of an entry.
func privateOf(t *testing.T, h *Host, seq uint64) string {
	t.Helper()
	for r, err := range h.Store.Read(t.Context(), seq, seq+1) {
		if err != nil {
			t.Fatal(err)
		}
		return string(r.Private)
	}
	t.Fatalf("there is no entry %d", seq)
	return ""
}

// backedUp backs a folder up beside the host that writes it.
func backedUp(t testing.TB, dir, recipient string) string {
	t.Helper()
	path, _, err := Backup(t.Context(), BackupConfig{Dir: dir, To: t.TempDir(), Recipients: []string{recipient}})
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// restored takes the three steps.
func restored(t *testing.T, path string, ids []age.Identity, from string) (dir string, v Verified, done Finished) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "restored")
	b, err := backup.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := Stage(t.Context(), b, ids, dir, nil); err != nil {
		t.Fatal(err)
	}
	var later *Later
	if from != "" {
		if later, err = ReadLater(t.Context(), dir, from); err != nil {
			t.Fatal(err)
		}
	}
	if v, err = Verify(t.Context(), dir, later, nil); err != nil {
		t.Fatal(err)
	}
	if done, err = Finish(t.Context(), dir, later, func(err error) { t.Logf("alarm: %v", err) }); err != nil {
		t.Fatal(err)
	}
	return dir, v, done
}

// A backup made while the network writes restores to the same entries, private parts
// and recordings, says what it lacks, and serves and signs on.
func TestBackupRestores(t *testing.T) {
	dir := t.TempDir()
	h, text, _, recording := lively(t, dir)
	stop := make(chan struct{})
	wrote := make(chan int)
	go func() { // a writer that never pauses
		for n := 0; ; n++ {
			select {
			case <-stop:
				wrote <- n
				return
			default:
				_, _ = h.Network.As("").Spawn(context.Background(), netkit.Spawn{Slug: "w-" + time.Now().UTC().Format("150405-000000000")})
			}
		}
	}()
	ids, recipient := keyPair(t)
	path := backedUp(t, dir, recipient)
	close(stop)
	if n := <-wrote; n == 0 {
		t.Error("nothing was written beside the backup")
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{secret, "the sound of the dispatch", "PRIVATE+KEY", "agent.spawned"} {
		if strings.Contains(string(whole), word) {
			t.Errorf("the backup shows %q in the clear", word)
		}
	}
	again, v, done := restored(t, path, ids, "")
	if v.Recordings != 1 || v.Report.Entries != done.Restored.Restored.Size || v.Report.NotHeld != 0 {
		t.Errorf("got %+v and %+v", v, done)
	}
	other, err := New(t.Context(), Config{Dir: again, Alarm: func(err error) { t.Errorf("alarm: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
	defer closeHost(t, other)
	if got := privateOf(t, other, text); !strings.Contains(got, secret) {
		t.Errorf("the private text: got %s", got)
	}
	if f, _, err := other.Audio.Open(recording); err != nil {
		t.Errorf("the recording: %v", err)
	} else {
		f.Close()
	}
	if _, err := other.Network.As("").Spawn(t.Context(), netkit.Spawn{Slug: "after"}); err != nil {
		t.Errorf("the restored network does not write: %v", err)
	}
	closeHost(t, h)
}

// What was erased after a backup stays erased when it is restored with the newer
// folder at hand, with the recording of a dispatch.
func TestErasedStaysErased(t *testing.T) {
	dir := t.TempDir()
	h, text, dispatch, recording := lively(t, dir)
	ids, recipient := keyPair(t)
	path := backedUp(t, dir, recipient)
	op := h.Network.As("operator")
	const token = 1 // of a-0, which has to be revoked before its entry is erased
	if _, err := op.RevokeToken(t.Context(), netkit.RevokeToken{TokenID: token, Reason: "lost"}); err != nil {
		t.Fatal(err)
	}
	for _, entry := range []uint64{token, text, dispatch} {
		if _, err := op.ErasePrivate(t.Context(), netkit.ErasePrivate{Entry: entry, Reason: "asked to"}); err != nil {
			t.Fatal(err)
		}
	}
	spawned(t, h, "later", 3)
	closeHost(t, h)

	again, v, done := restored(t, path, ids, dir)
	if v.Ahead != 7 || v.Erasures != 3 || !slices.Equal(done.Erased, []uint64{token, text, dispatch}) || len(done.Refused) > 0 {
		t.Errorf("got %d entries and %d erasures ahead, and %+v", v.Ahead, v.Erasures, done)
	}
	if done.Restored.Lost.Size != done.Restored.Restored.Size+7 {
		t.Errorf("got %+v, want the head of the newer folder as lost", done.Restored)
	}
	other, err := New(t.Context(), Config{Dir: again})
	if err != nil {
		t.Fatal(err)
	}
	defer closeHost(t, other)
	if got := privateOf(t, other, text); got != "" {
		t.Errorf("the erased text is there again: %s", got)
	}
	if _, _, err := other.Audio.Open(recording); !errors.Is(err, audio.ErrNotFound) {
		t.Errorf("the recording of the erased dispatch: got %v, want it gone", err)
	}
	// A list does as well.
	list := filepath.Join(t.TempDir(), "list.json")
	if err := os.WriteFile(list, []byte(`[{"entry": `+strconv.FormatUint(text, 10)+`, "reason": "asked to"}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, done := restored(t, path, ids, list); !slices.Equal(done.Erased, []uint64{text}) {
		t.Errorf("by a list: got %+v", done)
	}
	// Without the newer folder it is there again, which verify says.
	_, v, _ = restored(t, path, ids, "")
	if !slices.ContainsFunc(v.Missing, func(s string) bool { return strings.Contains(s, "texts erased since are there again") }) {
		t.Errorf("got %q, want a warning of later erasures", v.Missing)
	}
}

// Whatever byte of a backup is damaged, and wherever it is cut, it is refused before
// anything is unpacked, and damage within a member is named by the member.
func TestDamagedBackupIsRefused(t *testing.T) {
	dir := t.TempDir()
	h, _, _, _ := lively(t, dir)
	ids, recipient := keyPair(t)
	path := backedUp(t, dir, recipient)
	closeHost(t, h)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := backup.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
	try := func(bytes []byte) error {
		t.Helper()
		file := filepath.Join(t.TempDir(), "damaged")
		if err := os.WriteFile(file, bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		b, err := backup.Open(t.Context(), file)
		if err == nil {
			err = errors.Join(Stage(t.Context(), b, ids, filepath.Join(t.TempDir(), "to"), nil), b.Close())
		}
		return err
	}
	r := rand.New(rand.NewPCG(1, 2))
	places := 0
	for _, m := range b.Manifest.Members {
		at := strings.Index(string(whole), m.Name) + 512 // behind the header
		for range 20 {
			bent := slices.Clone(whole)
			bent[at+r.IntN(int(m.Bytes))] ^= 1 << r.IntN(8)
			if err := try(bent); !errors.Is(err, backup.ErrDamaged) || !strings.Contains(err.Error(), m.Name) {
				t.Errorf("damage in %s: got %v, want it named", m.Name, err)
			}
			places++
		}
	}
	for range 200 {
		bent := slices.Clone(whole)
		place := r.IntN(len(bent))
		if bent[place] ^= 1 << r.IntN(8); try(bent) == nil {
			t.Errorf("a flipped bit in byte %d of %d was not noticed", place, len(bent))
		}
	}
	for range 20 {
		if n := r.IntN(len(whole)); try(whole[:n]) == nil {
			t.Errorf("a backup cut after %d of %d bytes was not noticed", n, len(whole))
		}
	}
	if places < 160 {
		t.Errorf("got %d places in members", places)
	}
}

// Another identity opens nothing, and a folder with files is never replaced.
func TestRestoreRefuses(t *testing.T) {
	dir := t.TempDir()
	h, _, _, _ := lively(t, dir)
	_, recipient := keyPair(t)
	path := backedUp(t, dir, recipient)
	closeHost(t, h)
	b, err := backup.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	stranger, _ := keyPair(t)
	if err := Stage(t.Context(), b, stranger, filepath.Join(t.TempDir(), "to"), nil); !errors.Is(err, backup.ErrIdentity) {
		t.Errorf("a stranger's identity: got %v, want ErrIdentity", err)
	}
	if err := Stage(t.Context(), b, stranger, dir, nil); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("over a network: got %v, want ErrNotEmpty", err)
	}
	if _, err := Verify(t.Context(), filepath.Join(t.TempDir(), "to"), nil, nil); !errors.Is(err, ErrStage) {
		t.Errorf("verify without a stage: got %v, want ErrStage", err)
	}
	if _, err := Finish(t.Context(), filepath.Join(t.TempDir(), "to"), nil, nil); !errors.Is(err, ErrStage) {
		t.Errorf("finish without a stage: got %v, want ErrStage", err)
	}
}

// A finish that was stopped before the folder had its name is repeated, and records
// one restore.
func TestFinishIsRepeated(t *testing.T) {
	dir := t.TempDir()
	h, _, _, _ := lively(t, dir)
	ids, recipient := keyPair(t)
	path := backedUp(t, dir, recipient)
	closeHost(t, h)
	to := filepath.Join(t.TempDir(), "to")
	b, err := backup.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := Stage(t.Context(), b, ids, to, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Finish(t.Context(), to, nil, nil); !errors.Is(err, ErrStage) {
		t.Errorf("before verify: got %v, want ErrStage", err)
	}
	if _, err := Verify(t.Context(), to, nil, nil); err != nil {
		t.Fatal(err)
	}
	s, err := readStage(StagedDir(to))
	if err != nil {
		t.Fatal(err)
	}
	half, err := New(t.Context(), Config{Dir: StagedDir(to)})
	if err != nil {
		t.Fatal(err)
	}
	first, err := half.recordRestore(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	closeHost(t, half) // and here the process ends
	done, err := Finish(t.Context(), to, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if done.Restored != first.Restored {
		t.Errorf("got %+v, want %+v once", done.Restored, first.Restored)
	}
	if _, err := os.Stat(filepath.Join(to, stageFile)); !os.IsNotExist(err) {
		t.Errorf("the mark of the restore is left: %v", err)
	}
}

// A backup that is stopped leaves no file, and the newest one outlives its age.
func TestBackupsInAFolder(t *testing.T) {
	dir, to := t.TempDir(), t.TempDir()
	h, _, _, _ := lively(t, dir)
	defer closeHost(t, h)
	_, recipient := keyPair(t)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, _, err := Backup(ctx, BackupConfig{Dir: dir, Journal: h.Store, To: to, Recipients: []string{recipient}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want it stopped", err)
	}
	if files, err := os.ReadDir(to); err != nil || len(files) > 0 {
		t.Errorf("a stopped backup left %v, %v", files, err)
	}
	at := time.Date(2026, 11, 24, 1, 0, 0, 0, time.UTC)
	for i := range 4 {
		if _, _, err := Backup(t.Context(), BackupConfig{Dir: dir, Journal: h.Store, To: to, Recipients: []string{recipient}, Now: func() time.Time { return at.Add(time.Duration(i) * 24 * time.Hour) }}); err != nil {
			t.Fatal(err)
		}
	}
	found, err := Backups(to, "test")
	if old := OldBackups(found, 48*time.Hour, at.Add(5*24*time.Hour)); err != nil || len(old) != 3 || old[0].At != at {
		t.Errorf("got %v and %v, want the 3 that are too old", old, err)
	}
	if old := OldBackups(found[3:], 48*time.Hour, at.Add(500*24*time.Hour)); len(old) != 0 {
		t.Errorf("got %v, want the newest to stay", old)
	}
	if _, _, err := Backup(t.Context(), BackupConfig{Dir: dir, Journal: h.Store, To: to}); err == nil {
		t.Error("a backup to nobody was written")
	}
}

// A drill restores the public side of a backup without the identity, or all of it
// with one, names what is wrong, and leaves nothing behind.
func TestDrill(t *testing.T) {
	dir := t.TempDir()
	h, _, _, _ := lively(t, dir)
	defer closeHost(t, h)
	ids, recipient := keyPair(t)
	path := backedUp(t, dir, recipient)
	spawned(t, h, "later", 3)
	for _, with := range [][]age.Identity{nil, ids} {
		d, err := Drill(t.Context(), dir, path, with, h.Store, nil)
		if err != nil || d.Problem != "" || d.Tree.Size == 0 || d.Books.Accounts == 0 || d.Full != (with != nil) {
			t.Errorf("with %d identities: got %+v, %v", len(with), d, err)
		}
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	bent := filepath.Join(t.TempDir(), "bent")
	whole[len(whole)/2] ^= 1
	if err := os.WriteFile(bent, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if d, err := Drill(t.Context(), dir, bent, nil, nil, nil); err != nil || !strings.Contains(d.Problem, "damaged") {
		t.Errorf("a damaged backup: got %+v, %v", d, err)
	}
	elsewhere := t.TempDir()
	other, _, _, _ := lively(t, elsewhere)
	defer closeHost(t, other)
	if d, err := Drill(t.Context(), dir, path, ids, other.Store, nil); err != nil || d.Problem == "" {
		t.Errorf("beside another network: got %+v, %v, want a problem", d, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, unfinishedDrill)); err != nil || len(left) > 0 {
		t.Errorf("got %q left behind, %v", left, err)
	}
	if _, found, err := LastDrill(dir); found || err != nil {
		t.Errorf("before any was kept: got %v, %v", found, err)
	}
	want := Drilled{File: path, Full: true}
	if err := KeepDrill(dir, want); err != nil {
		t.Fatal(err)
	}
	if got, found, err := LastDrill(dir); !found || err != nil || got != want {
		t.Errorf("got %+v, %v, %v, want %+v", got, found, err, want)
	}
}

// A post-quantum recipient works as any other.
func TestBackupToAHybridRecipient(t *testing.T) {
	dir := t.TempDir()
	h, _, _, _ := lively(t, dir)
	defer closeHost(t, h)
	id, err := age.GenerateHybridIdentity()
	if err != nil {
		t.Fatal(err)
	}
	path := backedUp(t, dir, id.Recipient().String())
	for _, ids := range [][]age.Identity{nil, {id}} {
		if d, err := Drill(t.Context(), dir, path, ids, nil, nil); err != nil || d.Problem != "" {
			t.Errorf("got %+v, %v", d, err)
		}
	}
}
