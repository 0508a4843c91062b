package s3

import (
	"context"
	"errors"
	"io"

	"github.com/minio/minio-go/v7"
)

// Upload writes a file of any size, such as a backup, in place of one of its name. The
// file appears when it is whole.
func (b *Bucket) Upload(ctx context.Context, name string, r io.Reader, size int64) error {
	_, err := b.client.PutObject(ctx, b.bucket, b.prefix+name, r, size, minio.PutObjectOptions{ContentType: "application/octet-stream", NumThreads: 1, PartSize: 16 << 20})
	return b.failed("writing", name, err)
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
