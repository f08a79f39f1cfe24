// Answers JSON lines with what the OpenTelemetry operator's webhooks make of a Pod and of the custom resources around it. Each line of
// the input is a question, each line of the output its answer.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"reflect"

	"github.com/go-logr/logr"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/open-telemetry/opentelemetry-operator/apis/v1alpha1"
	"github.com/open-telemetry/opentelemetry-operator/apis/v1beta1"
	"github.com/open-telemetry/opentelemetry-operator/internal/config"
	"github.com/open-telemetry/opentelemetry-operator/internal/instrumentation"
	"github.com/open-telemetry/opentelemetry-operator/internal/webhook"
	"github.com/open-telemetry/opentelemetry-operator/internal/webhook/podmutation"
	"github.com/open-telemetry/opentelemetry-operator/pkg/sidecar"
)

// question has either a Pod to inject, or Pods to decode and encode, so that they can be compared.
type question struct {
	Settings settings `json:"settings"`
	// The objects of the cluster.
	Objects   []json.RawMessage `json:"objects"`
	Namespace string            `json:"namespace"`
	Pod       json.RawMessage   `json:"pod"`
	Pods      []corev1.Pod      `json:"pods"`
}

type settings struct {
	// Those that are switched on.
	Languages []string          `json:"languages"`
	Multi     bool              `json:"multi"`
	Native    bool              `json:"native"`
	Images    map[string]string `json:"images"`
}

type answer struct {
	// Why the Pod was left alone: the operator admits it nevertheless.
	Error string `json:"error,omitempty"`
	Patch any    `json:"patch,omitempty"`
	// As Go encodes them.
	Pods []corev1.Pod `json:"pods,omitempty"`
	// As the operator's webhooks let the cluster store them.
	Objects []any `json:"objects,omitempty"`
	// Refused lists custom resources that the operator's own webhooks reject: no cluster has them.
	Refused []string `json:"refused,omitempty"`
}

var scheme = runtime.NewScheme()

func main() {
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, v1alpha1.AddToScheme, v1beta1.AddToScheme} {
		if err := add(scheme); err != nil {
			log.Fatal(err)
		}
	}
	if asked, folder, isServer := servedBy(); isServer {
		ctrllog.SetLogger(logr.Discard())
		log.Fatal(serve(folder, serverOf(asked)))
	}
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return
		} else if err != nil {
			log.Fatal(err)
		}
		text, err := json.Marshal(answerLine(line))
		if err != nil {
			log.Fatal(err)
		}
		out.Write(append(text, '\n'))
		out.Flush()
	}
}

func answerLine(line []byte) (result answer) {
	defer func() {
		if cause := recover(); cause != nil {
			result = answer{Error: fmt.Sprintf("panic: %v", cause)}
		}
	}()
	var asked question
	if err := json.Unmarshal(line, &asked); err != nil {
		return answer{Error: err.Error()}
	}
	if asked.Pods != nil {
		return answer{Pods: asked.Pods}
	}
	return inject(asked)
}

// serverOf is the operator's webhook for one configuration and cluster.
func serverOf(text []byte) http.Handler {
	var asked question
	if err := json.Unmarshal(text, &asked); err != nil {
		log.Fatal(err)
	}
	cfg := configOf(asked.Settings)
	stored, refused, err := storedObjects(context.Background(), cfg, asked.Objects)
	if err != nil || len(refused) > 0 {
		log.Fatal(err, refused)
	}
	return &admission.Webhook{Handler: handlerFor(cfg, memory{fakeClient(stored), stored})}
}

func fakeClient(stored []client.Object) client.Client {
	return fake.NewClientBuilder().WithScheme(scheme).WithObjects(stored...).Build()
}

// memory reads as a cache of informers does: by copying what it has. The fake client encodes and decodes each object, which takes long.
type memory struct {
	client.Client
	objects []client.Object
}

func (m memory) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	for _, each := range m.objects {
		if reflect.TypeOf(each) == reflect.TypeOf(into) && client.ObjectKeyFromObject(each) == key {
			reflect.ValueOf(into).Elem().Set(reflect.ValueOf(each.DeepCopyObject()).Elem())
			return nil
		}
	}
	return apierrors.NewNotFound(schema.GroupResource{Resource: fmt.Sprintf("%T", into)}, key.Name)
}

func (m memory) List(_ context.Context, into client.ObjectList, options ...client.ListOption) error {
	wanted := (&client.ListOptions{}).ApplyOptions(options)
	kind, err := apiutil.GVKForObject(into, scheme)
	if err != nil {
		return err
	}
	var found []runtime.Object
	for _, each := range m.objects {
		own, err := apiutil.GVKForObject(each, scheme)
		if err != nil {
			return err
		}
		if own.Kind+"List" == kind.Kind && (wanted.Namespace == "" || wanted.Namespace == each.GetNamespace()) {
			found = append(found, each.DeepCopyObject())
		}
	}
	return meta.SetList(into, found)
}

func handlerFor(cfg config.Config, cluster client.Client) podmutation.WebhookHandler {
	// Nobody reads events here, and a full channel would block.
	events := &record.FakeRecorder{}
	return podmutation.NewWebhookHandler(cfg, logr.Discard(), admission.NewDecoder(scheme), cluster, []podmutation.PodMutator{
		sidecar.NewMutator(logr.Discard(), cfg, cluster),
		instrumentation.NewMutator(logr.Discard(), cluster, events, cfg),
	})
}

func inject(asked question) answer {
	ctx := context.Background()
	cfg := configOf(asked.Settings)
	stored, refused, err := storedObjects(ctx, cfg, asked.Objects)
	if err != nil {
		return answer{Error: err.Error()}
	}
	objects := make([]any, len(stored))
	for index, object := range stored {
		objects[index] = object.DeepCopyObject()
	}
	handler := handlerFor(cfg, fakeClient(stored))
	response := handler.Handle(ctx, admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{
		UID:       "u",
		Operation: admissionv1.Create,
		Namespace: asked.Namespace,
		Object:    runtime.RawExtension{Raw: asked.Pod},
	}})
	result := answer{Objects: objects, Refused: refused}
	if len(response.Patches) > 0 {
		result.Patch = response.Patches
	}
	if !response.Allowed || (response.Result != nil && response.Result.Code >= 400) {
		result.Error = "failed"
		if response.Result != nil {
			result.Error = response.Result.Message
		}
	}
	return result
}

func configOf(asked settings) config.Config {
	cfg := config.New()
	enabled := map[string]bool{}
	for _, language := range asked.Languages {
		enabled[language] = true
	}
	cfg.EnableMultiInstrumentation = asked.Multi
	cfg.EnableApacheHttpdInstrumentation = enabled["apache-httpd"]
	cfg.EnableDotNetAutoInstrumentation = enabled["dotnet"]
	cfg.EnableGoAutoInstrumentation = enabled["go"]
	cfg.EnableNginxAutoInstrumentation = enabled["nginx"]
	cfg.EnablePythonAutoInstrumentation = enabled["python"]
	cfg.EnableNodeJSAutoInstrumentation = enabled["nodejs"]
	cfg.EnableJavaAutoInstrumentation = enabled["java"]
	cfg.Internal.NativeSidecarSupport = asked.Native
	cfg.AutoInstrumentationApacheHttpdImage = asked.Images["apache-httpd"]
	cfg.AutoInstrumentationDotNetImage = asked.Images["dotnet"]
	cfg.AutoInstrumentationGoImage = asked.Images["go"]
	cfg.AutoInstrumentationNginxImage = asked.Images["nginx"]
	cfg.AutoInstrumentationPythonImage = asked.Images["python"]
	cfg.AutoInstrumentationNodeJSImage = asked.Images["nodejs"]
	cfg.AutoInstrumentationJavaImage = asked.Images["java"]
	cfg.CollectorImage = asked.Images["collector"]
	return cfg
}

// storedObjects passes custom resources through the operator's own webhooks, as a cluster does before it stores them.
func storedObjects(ctx context.Context, cfg config.Config, given []json.RawMessage) ([]client.Object, []string, error) {
	var stored []client.Object
	var refused []string
	for _, raw := range given {
		object, err := decoded(raw)
		if err != nil {
			return nil, nil, err
		}
		if err := admitted(ctx, cfg, object); err != nil {
			refused = append(refused, fmt.Sprintf("%s/%s: %v", object.GetNamespace(), object.GetName(), err))
			continue
		}
		stored = append(stored, object)
	}
	return stored, refused, nil
}

func decoded(raw json.RawMessage) (client.Object, error) {
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

func admitted(ctx context.Context, cfg config.Config, object client.Object) error {
	switch resource := object.(type) {
	case *v1alpha1.Instrumentation:
		hook := webhook.NewInstrumentationWebhook(logr.Discard(), scheme, cfg)
		if err := hook.Default(ctx, resource); err != nil {
			return err
		}
		_, err := hook.ValidateCreate(ctx, resource)
		return err
	case *v1beta1.OpenTelemetryCollector:
		hook := webhook.NewCollectorWebhook(logr.Discard(), scheme, cfg, nil, record.NewFakeRecorder(100), nil, nil, nil)
		if err := hook.Default(ctx, resource); err != nil {
			return err
		}
		_, err := hook.ValidateCreate(ctx, resource)
		return err
	}
	return nil
}
