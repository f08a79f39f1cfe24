package main

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
)

// serve answers reviews over HTTPS at /mutate for ever, with the certificate of the folder. It prints its port. The build adds this
// file to every oracle.
func serve(folder string, handler http.Handler) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	mux := http.NewServeMux()
	mux.Handle("/mutate", handler)
	server := &http.Server{
		Handler:   buffered(mux),
		TLSConfig: &tls.Config{MinVersion: tls.VersionTLS13},
		// Of connections that the load generator closes.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	return server.ServeTLS(listener, filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key"))
}

// buffered sends answers with their length, as the load generator wants them: Go sends long ones in chunks.
func buffered(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(writer http.ResponseWriter, call *http.Request) {
		answer := &whole{ResponseWriter: writer, status: http.StatusOK}
		handler.ServeHTTP(answer, call)
		writer.Header().Set("Content-Length", strconv.Itoa(answer.body.Len()))
		writer.WriteHeader(answer.status)
		_, _ = writer.Write(answer.body.Bytes())
	})
}

type whole struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (w *whole) WriteHeader(status int)         { w.status = status }
func (w *whole) Write(part []byte) (int, error) { return w.body.Write(part) }

// servedBy returns the question of a file and the folder of the certificate, if the program was called with `-serve FILE FOLDER`.
func servedBy() (question []byte, folder string, isServer bool) {
	if len(os.Args) != 4 || os.Args[1] != "-serve" {
		return nil, "", false
	}
	question, err := os.ReadFile(os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return question, os.Args[3], true
}
