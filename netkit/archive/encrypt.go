package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"filippo.io/age"
)

// encrypt returns content encrypted to recipients.
func encrypt(content []byte, recipients ...age.Recipient) ([]byte, error) {
	var sealed bytes.Buffer
	sealed.Grow(len(content) + 4096)
	enc, err := age.Encrypt(&sealed, recipients...)
	if err == nil {
		_, err = enc.Write(content)
	}
	if err == nil {
		err = enc.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("archive: encrypting: %w", err)
	}
	return sealed.Bytes(), nil
}

// decrypt opens the object of a name.
func decrypt(name string, content []byte, ids []age.Identity) ([]byte, error) {
	plain, err := age.Decrypt(bytes.NewReader(content), ids...)
	var other *age.NoIdentityMatchError
	if errors.As(err, &other) {
		return nil, fmt.Errorf("%w: %s", ErrIdentity, name)
	}
	if err == nil {
		content, err = io.ReadAll(plain)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s cannot be decrypted: %w", ErrDamaged, name, err)
	}
	return content, nil
}
