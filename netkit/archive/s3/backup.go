package s3

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/minio/minio-go/v7"

	"github.com/agentnet/netctl/netkit/archive"
)

// partSize is that of the parts in which a file is written. A bucket takes 10,000 of
// them, which is 156 GiB.
const partSize = 16 << 20

// Upload writes a file of any size, such as a backup, in place of one of its name. The
// file appears when it is whole; after an error of r no file appears.
func (b *Bucket) Upload(ctx context.Context, name string, r io.Reader) error {
	_, err := b.client.PutObject(ctx, b.bucket, b.prefix+name, source{r}, -1, minio.PutObjectOptions{ContentType: "application/octet-stream", NumThreads: 1, PartSize: partSize})
	return b.failed("writing", name, err)
}

// source reads a file that is uploaded. The client takes an io.ErrUnexpectedEOF for the
// end of the file, so errors are wrapped.
type source struct{ r io.Reader }

// Read implements io.Reader.
func (s source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("archive: the file ends too early: %w", err)
	}
	return n, err
}

// Download reads a file of any size into w. The error is an archive.ErrNotFound if
// there is no such file.
func (b *Bucket) Download(ctx context.Context, name string, w io.Writer) error {
	o, err := b.client.GetObject(ctx, b.bucket, b.prefix+name, minio.GetObjectOptions{})
	if err != nil {
		return b.failed("reading", name, err)
	}
	_, err = io.Copy(w, o)
	return errors.Join(b.failed("reading", name, err), o.Close())
}

// Delete removes a file that Upload wrote, if it is there.
func (b *Bucket) Delete(ctx context.Context, name string) error {
	err := b.failed("removing", name, b.client.RemoveObject(ctx, b.bucket, b.prefix+name, minio.RemoveObjectOptions{}))
	if errors.Is(err, archive.ErrNotFound) {
		return nil
	}
	return err
}
