package sqlite

import (
	"fmt"
	"os"

	"github.com/agentnet/netctl/netkit/journal"
)

// openFile is a file that the engine has open. On most systems it can be
// removed, and what is written to it then is lost when the process ends.
type openFile struct {
	path string
	info os.FileInfo
}

func openFiles(paths ...string) ([]openFile, error) {
	files := make([]openFile, len(paths))
	for i, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		files[i] = openFile{path, info}
	}
	return files, nil
}

// InPlace checks that the files which the store writes are still those that
// their names lead to. The error is a [journal.ErrMoved]. Append checks it
// before each commit, so that whatever it acknowledges was committed to files
// that were in place when the commit began.
func (s *Store) InPlace() error {
	files := s.files.Load()
	if files == nil { // not open for writing
		return nil
	}
	for _, f := range *files {
		info, err := os.Stat(f.path)
		if err != nil {
			return fmt.Errorf("%w: %s: %w; put it back while this process runs, which still has it open", journal.ErrMoved, f.path, err)
		}
		if !os.SameFile(info, f.info) {
			return fmt.Errorf("%w: %s is another file than the one that was opened; put that one back while this process runs, which still has it open", journal.ErrMoved, f.path)
		}
	}
	return nil
}
