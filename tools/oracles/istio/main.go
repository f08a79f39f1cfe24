// Answers JSON lines with what istiod's injection webhook makes of a Pod. Each line of the input is a request, each line of the
// output its answer. A request renders Istio's charts, injects a Pod into an installation, or writes Pods as Go does.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	networking "istio.io/api/networking/v1beta1"
	"istio.io/istio/operator/pkg/render"
	"istio.io/istio/pilot/pkg/features"
	"istio.io/istio/pilot/pkg/model"
	"istio.io/istio/pkg/cluster"
	"istio.io/istio/pkg/config"
	"istio.io/istio/pkg/config/constants"
	"istio.io/istio/pkg/config/mesh"
	"istio.io/istio/pkg/config/mesh/meshwatcher"
	"istio.io/istio/pkg/config/schema/gvk"
	commonfeatures "istio.io/istio/pkg/features"
	"istio.io/istio/pkg/kube"
	"istio.io/istio/pkg/kube/inject"
	"istio.io/istio/pkg/kube/multicluster"
	"istio.io/istio/pkg/log"
	"istio.io/istio/pkg/util/protomarshal"
)

type request struct {
	ID json.RawMessage `json:"id"`
	// An IstioOperator whose charts are rendered.
	Operator json.RawMessage `json:"operator,omitempty"`
	// Where the Pod is injected. Consecutive requests with the same installation share one webhook.
	Installation json.RawMessage `json:"installation,omitempty"`
	// The path of the webhook's URL.
	Path      string          `json:"path,omitempty"`
	Namespace string          `json:"namespace,omitempty"`
	Pod       json.RawMessage `json:"pod,omitempty"`
	// Pods to decode and encode, so that they can be compared.
	Pods []corev1.Pod `json:"pods,omitempty"`
}

type installation struct {
	Config           string              `json:"config"`
	Values           string              `json:"values"`
	Mesh             string              `json:"mesh"`
	Revision         string              `json:"revision"`
	NativeSidecars   bool                `json:"nativeSidecars"`
	Openshift        bool                `json:"openshift"`
	CompliancePolicy string              `json:"compliancePolicy"`
	ProxyConfigs     []proxyConfig       `json:"proxyConfigs"`
	Namespaces       []*corev1.Namespace `json:"namespaces"`
	// Names of the cluster with these namespaces, besides the default.
	Clusters []string `json:"clusters"`
}

type proxyConfig struct {
	Metadata metav1.ObjectMeta `json:"metadata"`
	Spec     json.RawMessage   `json:"spec"`
}

type answer struct {
	ID json.RawMessage `json:"id"`
	// Why there is no result: invalid configuration, or a panic.
	Error string `json:"error,omitempty"`
	// Of the charts.
	Config string `json:"config,omitempty"`
	Values string `json:"values,omitempty"`
	Mesh   string `json:"mesh,omitempty"`
	// Of the webhook.
	Allowed bool            `json:"allowed"`
	Message string          `json:"message,omitempty"`
	Patch   json.RawMessage `json:"patch,omitempty"`
	// As Go encodes them.
	Pods []corev1.Pod `json:"pods,omitempty"`
}

func main() {
	quiet := log.DefaultOptions()
	quiet.SetDefaultOutputLevel(log.OverrideScopeName, log.NoneLevel)
	if err := log.Configure(quiet); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if install, folder, isServer := servedBy(); isServer {
		fmt.Fprintln(os.Stderr, serveInjection(install, folder))
		os.Exit(1)
	}
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	var served webhook
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if err := out.Encode(answerTo(line, &served)); err != nil {
				os.Exit(1)
			}
		}
		if err != nil {
			return
		}
	}
}

// serveInjection is istiod's webhook for one installation.
func serveInjection(install json.RawMessage, folder string) error {
	handler, err := handlerFor(install, make(chan struct{}))
	if err != nil {
		return err
	}
	return serve(folder, http.HandlerFunc(func(writer http.ResponseWriter, call *http.Request) {
		call.URL.Path = "/inject"
		handler.ServeHTTP(writer, call)
	}))
}

// answerTo never panics: istiod's handler runs in an HTTP server, which survives panics, too.
func answerTo(line []byte, served *webhook) (result answer) {
	var asked request
	defer func() {
		if reason := recover(); reason != nil {
			result = answer{ID: asked.ID, Error: fmt.Sprintf("panic: %v", reason)}
		}
	}()
	if err := json.Unmarshal(line, &asked); err != nil {
		return answer{ID: asked.ID, Error: err.Error()}
	}
	var err error
	if asked.Pods != nil {
		result = answer{Pods: asked.Pods}
	} else if asked.Operator != nil {
		result, err = rendered(asked.Operator)
	} else if err = served.prepare(asked.Installation); err == nil {
		result, err = served.review(asked)
	}
	if err != nil {
		result = answer{Error: err.Error()}
	}
	result.ID = asked.ID
	return result
}

// rendered returns the texts of the two ConfigMaps that the webhook reads.
func rendered(operator json.RawMessage) (answer, error) {
	folder, err := os.MkdirTemp("", "istio-oracle-")
	if err != nil {
		return answer{}, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "operator.yaml")
	if err := os.WriteFile(file, operator, 0o600); err != nil {
		return answer{}, err
	}
	sets, _, err := render.GenerateManifest([]string{file}, nil, true, nil, nil)
	if err != nil {
		return answer{}, err
	}
	var found answer
	for _, set := range sets {
		for _, each := range set.Manifests {
			data := dataOf(each.Object)
			switch {
			case each.GetKind() != "ConfigMap":
			case data["mesh"] != "":
				found.Mesh = data["mesh"]
			case data["config"] != "":
				found.Config, found.Values = data["config"], data["values"]
			}
		}
	}
	return found, nil
}

func dataOf(configMap map[string]any) map[string]string {
	data := map[string]string{}
	fields, _ := configMap["data"].(map[string]any)
	for key, value := range fields {
		if text, isText := value.(string); isText {
			data[key] = text
		}
	}
	return data
}

// webhook is istiod's handler for the last installation that was asked for.
type webhook struct {
	text    string
	err     error
	handler http.Handler
	stop    chan struct{}
}

func (w *webhook) prepare(text json.RawMessage) error {
	if w.stop != nil && w.text == string(text) {
		return w.err
	}
	if w.stop != nil {
		close(w.stop)
	}
	w.text, w.handler, w.stop = string(text), nil, make(chan struct{})
	w.handler, w.err = handlerFor(text, w.stop)
	return w.err
}

func handlerFor(text json.RawMessage, stop chan struct{}) (http.Handler, error) {
	var install installation
	if err := json.Unmarshal(text, &install); err != nil {
		return nil, err
	}
	features.EnableNativeSidecars = features.NativeSidecarModeDisabled
	if install.NativeSidecars {
		features.EnableNativeSidecars = features.NativeSidecarModeEnabled
	}
	commonfeatures.CompliancePolicy = install.CompliancePolicy
	platform := ""
	if install.Openshift {
		platform = "openshift"
	}
	if err := os.Setenv("PLATFORM", platform); err != nil {
		return nil, err
	}

	meshConfig, err := mesh.ApplyMeshConfigDefaults(install.Mesh)
	if err != nil {
		return nil, err
	}
	store := proxyConfigs{}
	for _, each := range install.ProxyConfigs {
		resource, err := each.config()
		if err != nil {
			return nil, err
		}
		store.list = append(store.list, resource)
	}
	environment := &model.Environment{Watcher: meshwatcher.NewTestWatcher(meshConfig), ConfigStore: store}
	environment.SetPushContext(&model.PushContext{ProxyConfigs: model.GetProxyConfigs(store, meshConfig)})

	mux := http.NewServeMux()
	clusters := multicluster.NewFakeController()
	_, err = inject.NewWebhook(inject.WebhookParameters{
		Watcher:      fixed{install.Config, install.Values},
		Env:          environment,
		Mux:          mux,
		Revision:     install.Revision,
		MultiCluster: clusters,
	})
	if err != nil {
		return nil, err
	}
	if install.Openshift {
		objects := make([]runtime.Object, 0, len(install.Namespaces))
		for _, each := range install.Namespaces {
			objects = append(objects, each)
		}
		client := kube.NewFakeClient(objects...)
		for _, id := range append(install.Clusters, string(constants.DefaultClusterName)) {
			clusters.Add(cluster.ID(id), client, stop)
		}
		client.RunAndWait(stop)
	}
	return mux, nil
}

func (w *webhook) review(asked request) (answer, error) {
	path := asked.Path
	if path == "" {
		path = "/inject"
	}
	review := map[string]any{
		"apiVersion": "admission.k8s.io/v1",
		"kind":       "AdmissionReview",
		"request":    map[string]any{"uid": "1", "operation": "CREATE", "namespace": asked.Namespace, "object": asked.Pod},
	}
	body, err := json.Marshal(review)
	if err != nil {
		return answer{}, err
	}
	call := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(body))
	call.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	w.handler.ServeHTTP(recorder, call)
	var reply struct {
		Response struct {
			Allowed bool   `json:"allowed"`
			Patch   []byte `json:"patch"`
			Status  struct {
				Message string `json:"message"`
			} `json:"status"`
		} `json:"response"`
	}
	if err := json.Unmarshal(recorder.Body.Bytes(), &reply); err != nil {
		return answer{}, fmt.Errorf("HTTP %d: %s", recorder.Code, recorder.Body.String())
	}
	response := reply.Response
	result := answer{Allowed: response.Allowed, Message: response.Status.Message}
	if len(response.Patch) > 0 {
		result.Patch = response.Patch
	}
	return result, nil
}

// fixed is a configuration that does not change.
type fixed struct{ config, values string }

func (f fixed) SetHandler(func(*inject.Config, string) error) {}
func (f fixed) Run(<-chan struct{})                           {}
func (f fixed) Get() (*inject.Config, string, error) {
	parsed, err := inject.UnmarshalConfig([]byte(f.config))
	return &parsed, f.values, err
}

// proxyConfigs is a store of ProxyConfig resources only.
type proxyConfigs struct {
	model.ConfigStore
	list []config.Config
}

func (p proxyConfigs) List(kind config.GroupVersionKind, _ string) []config.Config {
	if kind != gvk.ProxyConfig {
		return nil
	}
	// The caller sorts the list in place.
	return append([]config.Config(nil), p.list...)
}

func (p proxyConfig) config() (config.Config, error) {
	spec := &networking.ProxyConfig{}
	err := protomarshal.ApplyJSON(string(p.Spec), spec)
	meta := config.Meta{
		GroupVersionKind:  gvk.ProxyConfig,
		Name:              p.Metadata.Name,
		Namespace:         p.Metadata.Namespace,
		CreationTimestamp: p.Metadata.CreationTimestamp.Time,
	}
	return config.Config{Meta: meta, Spec: spec}, err
}
