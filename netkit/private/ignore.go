package private

import (
	"os"
	"path/filepath"
	"slices"
)

// GitIgnore is the file of a folder that keeps git from adding the folder's keys.
const GitIgnore = ".gitignore"

// HideFromGit makes git ignore a new folder: it writes [GitIgnore] where the folder
// holds nothing but the named files. A folder with other files is its owner's,
// and stays as it is.
func HideFromGit(dir string, besides ...string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		if !slices.Contains(besides, f.Name()) {
			return nil
		}
	}
	return WriteFile(filepath.Join(dir, GitIgnore), []byte("*\n"))
}
