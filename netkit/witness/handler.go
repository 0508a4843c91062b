package witness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/agentnet/netctl/netkit/proof"
)

// maxBody is how long a request may be: 63 proof lines and a checkpoint with
// many signatures, in bytes.
const maxBody = 64 << 10

// statuses are those of c2sp.org/tlog-witness.
var statuses = []struct {
	err    error
	status int
}{
	{proof.ErrRequest, http.StatusBadRequest},
	{proof.ErrNotTrusted, http.StatusForbidden},
	{proof.ErrUnknownLog, http.StatusNotFound},
	{proof.ErrFork, http.StatusConflict},
	{proof.ErrInconsistent, http.StatusUnprocessableEntity},
}

// Handler serves a witness: POST /add-checkpoint.
func Handler(w *proof.Witness, log *slog.Logger) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /add-checkpoint", func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(rw, r.Body, maxBody))
		if err != nil {
			http.Error(rw, "the body could not be read, or is too long", http.StatusBadRequest)
			return
		}
		lines, err := w.AddCheckpoint(r.Context(), body)
		if err != nil {
			refuse(rw, log, err)
			return
		}
		rw.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = rw.Write(lines) // a client that left will ask again
	})
	return mux
}

// refuse answers with the status of an error, and tells the operator what is
// worth knowing.
func refuse(rw http.ResponseWriter, log *slog.Logger, err error) {
	var stale *proof.StaleError
	if errors.As(err, &stale) {
		rw.Header().Set("Content-Type", "text/x.tlog.size")
		rw.WriteHeader(http.StatusConflict)
		fmt.Fprintf(rw, "%d\n", stale.Size)
		return
	}
	for _, s := range statuses {
		if errors.Is(err, s.err) {
			log.Warn("refused", "status", s.status, "error", err.Error())
			http.Error(rw, s.err.Error(), s.status)
			return
		}
	}
	log.Error("witness", "error", err.Error())
	http.Error(rw, "the witness cannot keep what it signs at the moment", http.StatusInternalServerError)
}

// drain is how long requests under way may take once the witness stops.
const drain = 5 * time.Second

// Serve answers on a listener until the context ends, and closes it.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: 15 * time.Second, IdleTimeout: 2 * time.Minute}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	return srv.Shutdown(end)
}
