// Package s3 keeps an archive in a bucket that speaks S3. It is a package of its own,
// so that a program which archives into folders does not link a client for buckets.
package s3

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/agentnet/netctl/netkit/archive"
)

// Bucket is an [archive.Store] in a bucket, below a prefix.
type Bucket struct {
	client *minio.Client
	bucket string
	prefix string // with a slash at its end, or empty
}

// Open reads the address of a bucket, s3://BUCKET/PREFIX, and sends no request. In the
// query, endpoint names a server other than Amazon's, as https://HOST:PORT, and region
// its region. Keys are taken from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, else
// from the profile AWS_PROFILE in ~/.aws/credentials, else from the machine's role.
func Open(address string) (*Bucket, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "s3" || u.Host == "" || u.User != nil {
		return nil, errors.New("archive: a bucket is named by s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION, without keys")
	}
	endpoint := &url.URL{Scheme: "https", Host: "s3.amazonaws.com"}
	if text := u.Query().Get("endpoint"); text != "" {
		if endpoint, err = url.Parse(text); err != nil || endpoint.Host == "" || endpoint.Scheme != "https" && endpoint.Scheme != "http" {
			return nil, errors.New("archive: endpoint is the address of a server, such as https://s3.example.org")
		}
	}
	transport, err := minio.DefaultTransport(endpoint.Scheme == "https")
	if err != nil {
		return nil, err
	}
	transport.ResponseHeaderTimeout = 30 * time.Second
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds: credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{},
			&credentials.IAM{Client: &http.Client{Timeout: 5 * time.Second}}}),
		Secure: endpoint.Scheme == "https", Region: u.Query().Get("region"), Transport: transport,
		MaxRetries: 1, // a doubtful write is resolved by reading
	})
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	b := &Bucket{client: client, bucket: u.Host}
	if p := strings.Trim(u.Path, "/"); p != "" {
		b.prefix = p + "/"
	}
	return b, nil
}

// String implements [archive.Store].
func (b *Bucket) String() string {
	return strings.TrimSuffix("s3://"+b.bucket+"/"+b.prefix, "/")
}

// requestTimeout bounds one request. A cut one is in doubt, as any that fails.
const requestTimeout = 2 * time.Minute

// Create implements [archive.Store].
func (b *Bucket) Create(ctx context.Context, name string, content []byte) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	opts := minio.PutObjectOptions{ContentType: "application/octet-stream", DisableMultipart: true}
	opts.SetMatchETagExcept("*")
	_, err := b.client.PutObject(ctx, b.bucket, b.prefix+name, bytes.NewReader(content), int64(len(content)), opts)
	if minio.ToErrorResponse(err).StatusCode == http.StatusPreconditionFailed {
		return fmt.Errorf("%w: %s", archive.ErrExists, name)
	}
	return b.failed("writing", name, err)
}

// failed names a request that failed.
func (b *Bucket) failed(doing, name string, err error) error {
	if err == nil {
		return nil
	}
	if r := minio.ToErrorResponse(err); r.StatusCode == http.StatusNotFound && r.Code != minio.NoSuchBucket {
		return fmt.Errorf("%w: %s", archive.ErrNotFound, name)
	}
	return fmt.Errorf("archive: %s %s in %s: %w", doing, name, b, err)
}

// Read implements [archive.Store].
func (b *Bucket) Read(ctx context.Context, name string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	o, err := b.client.GetObject(ctx, b.bucket, b.prefix+name, minio.GetObjectOptions{})
	if err != nil {
		return nil, b.failed("reading", name, err)
	}
	content, err := io.ReadAll(o)
	if closed := o.Close(); err == nil {
		err = closed
	}
	return content, b.failed("reading", name, err)
}

// List implements [archive.Store].
func (b *Bucket) List(ctx context.Context, prefix, after string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		opts := minio.ListObjectsOptions{Prefix: b.prefix + prefix, Recursive: true}
		if after != "" {
			opts.StartAfter = b.prefix + after
		}
		for o := range b.client.ListObjectsIter(ctx, b.bucket, opts) {
			name := strings.TrimPrefix(o.Key, b.prefix)
			if err := b.failed("listing", prefix, o.Err); err != nil {
				yield("", err)
				return
			}
			if name > after && !yield(name, nil) {
				return
			}
		}
	}
}

// Remove implements [archive.Store].
func (b *Bucket) Remove(ctx context.Context, name string) error {
	if !archive.Removable(name) {
		return fmt.Errorf("archive: %s is never removed", name)
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	err := b.failed("removing", name, b.client.RemoveObject(ctx, b.bucket, b.prefix+name, minio.RemoveObjectOptions{}))
	if errors.Is(err, archive.ErrNotFound) {
		return nil
	}
	return err
}

// Versioned reports whether the bucket keeps versions of the objects that an archive
// removes. A server that cannot tell returns an error.
func (b *Bucket) Versioned(ctx context.Context) (bool, error) {
	v, err := b.client.GetBucketVersioning(ctx, b.bucket)
	if err != nil || !v.Enabled() {
		return false, err
	}
	for _, excluded := range v.ExcludedPrefixes {
		if strings.HasPrefix(b.prefix+"private/keys/", strings.TrimSuffix(excluded.Prefix, "*")) {
			return false, nil
		}
	}
	return true, nil
}
