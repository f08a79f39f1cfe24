// A bare server that decodes the review and answers a constant, as bench/ceiling.mjs does. Prints its port when it listens.
package main

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
)

const answer = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"b1f5a7a4-1c7f-4b58-8a0e-3f6c1f0f9a01","allowed":true}}`

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	server := &http.Server{
		Handler:   http.HandlerFunc(handle),
		TLSConfig: &tls.Config{MinVersion: tls.VersionTLS13},
		// Of connections that the load generator closes.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	folder := os.Args[1]
	log.Fatal(server.ServeTLS(listener, filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key")))
}

func handle(writer http.ResponseWriter, call *http.Request) {
	body, err := io.ReadAll(call.Body)
	var review any
	if err == nil {
		err = json.Unmarshal(body, &review)
	}
	if err != nil {
		http.Error(writer, err.Error(), http.StatusBadRequest)
		return
	}
	writer.Header().Set("Content-Type", "application/json")
	io.WriteString(writer, answer)
}
