// Serves the OpenTelemetry operator's webhook for Pods over HTTPS, on a free port of the loopback interface. The first line of the input
// has the certificate and the objects of the cluster; the output is the port. It ends with its input.
package main

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	logf "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/open-telemetry/opentelemetry-operator/apis/v1alpha1"
	"github.com/open-telemetry/opentelemetry-operator/apis/v1beta1"
	"github.com/open-telemetry/opentelemetry-operator/internal/config"
	"github.com/open-telemetry/opentelemetry-operator/internal/instrumentation"
	"github.com/open-telemetry/opentelemetry-operator/internal/webhook/podmutation"
	"github.com/open-telemetry/opentelemetry-operator/pkg/sidecar"
)

type input struct {
	// PEM.
	Certificate string            `json:"certificate"`
	Key         string            `json:"key"`
	Objects     []json.RawMessage `json:"objects"`
}

func main() {
	logf.SetLogger(logr.Discard())
	lines := bufio.NewReader(os.Stdin)
	line, err := lines.ReadBytes('\n')
	check(err)
	var given input
	check(json.Unmarshal(line, &given))
	handler, err := handlerFor(given.Objects)
	check(err)
	pair, err := tls.X509KeyPair([]byte(given.Certificate), []byte(given.Key))
	check(err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		os.Exit(0)
	}()
	server := &http.Server{Handler: handler, TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}}}
	check(server.ServeTLS(listener, "", ""))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// handlerFor returns the webhook as the operator's main program registers it, with a client that knows these objects.
func handlerFor(objects []json.RawMessage) (http.Handler, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, v1alpha1.AddToScheme, v1beta1.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	builder := fake.NewClientBuilder().WithScheme(scheme)
	for _, raw := range objects {
		object, err := decoded(scheme, raw)
		if err != nil {
			return nil, err
		}
		builder.WithObjects(object)
	}
	cluster := builder.Build()
	cfg := config.New()
	cfg.EnableJavaAutoInstrumentation = true
	cfg.Internal.NativeSidecarSupport = true
	handler := podmutation.NewWebhookHandler(cfg, logr.Discard(), admission.NewDecoder(scheme), cluster, []podmutation.PodMutator{
		sidecar.NewMutator(logr.Discard(), cfg, cluster),
		instrumentation.NewMutator(logr.Discard(), cluster, &record.FakeRecorder{}, cfg),
	})
	return admission.StandaloneWebhook(&admission.Webhook{Handler: handler}, admission.StandaloneOptions{})
}

func decoded(scheme *runtime.Scheme, raw json.RawMessage) (client.Object, error) {
	kind := runtime.TypeMeta{}
	if err := json.Unmarshal(raw, &kind); err != nil {
		return nil, err
	}
	object, err := scheme.New(kind.GetObjectKind().GroupVersionKind())
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, object); err != nil {
		return nil, err
	}
	return object.(client.Object), nil
}
