// Answers, for each line of JSON on its input, what Gatekeeper's own code makes of mutators and an object.
package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/go-logr/logr"
	provider "github.com/open-policy-agent/frameworks/constraint/pkg/apis/externaldata/unversioned"
	answers "github.com/open-policy-agent/frameworks/constraint/pkg/externaldata"
	resources "github.com/open-policy-agent/gatekeeper/v3/apis/mutations/unversioned"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/externaldata"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/mutation"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/mutation/mutators"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/mutation/types"
	admission "k8s.io/api/admission/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/certwatcher"
	"sigs.k8s.io/controller-runtime/pkg/log"
	webhook "sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	kjson "sigs.k8s.io/json"
)

type question struct {
	Mutators  []json.RawMessage `json:"mutators"`
	Object    json.RawMessage   `json:"object"`
	Namespace *core.Namespace   `json:"namespace"`
	Username  string            `json:"username"`
	Operation string            `json:"operation"`
	// Integers in the values of an Assign are integers, not floats.
	ExactNumbers bool `json:"exactNumbers"`
}

type answer struct {
	// By kind and name: why a mutator is refused.
	Invalid   map[string]string `json:"invalid"`
	Conflicts []string          `json:"conflicts"`
	Error     string            `json:"error,omitempty"`
	Object    any               `json:"object,omitempty"`
}

// What the providers answer; a key that begins with it is an answer already.
const answered = "answer-for-"

func main() {
	*externaldata.ExternalDataEnabled = true
	log.SetLogger(logr.Discard())
	certificate, err := writeCertificate()
	if err != nil {
		panic(err)
	}
	if asked, folder, isServer := servedBy(); isServer {
		panic(serve(folder, serverOf(asked, certificate)))
	}
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 64<<20)
	output := json.NewEncoder(os.Stdout)
	for input.Scan() {
		if err := output.Encode(reply(input.Bytes(), certificate)); err != nil {
			panic(err)
		}
	}
}

// serverOf is a webhook around Gatekeeper's mutation system: decode, mutate, compare, as its own does.
func serverOf(text []byte, certificate *certificateFiles) http.Handler {
	var asked question
	if err := decode(text, &asked); err != nil {
		panic(err)
	}
	system := newSystem(certificate)
	for _, raw := range asked.Mutators {
		_, mutator, err := readMutator(raw, false)
		if err == nil {
			err = system.Upsert(mutator)
		}
		if err != nil {
			panic(err)
		}
	}
	return &webhook.Webhook{Handler: webhook.HandlerFunc(func(ctx context.Context, request webhook.Request) webhook.Response {
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(request.Object.Raw); err != nil {
			return webhook.Errored(http.StatusBadRequest, err)
		}
		if object.GetNamespace() == "" {
			object.SetNamespace(request.Namespace)
		}
		isChanged, err := system.Mutate(ctx, &types.Mutable{
			Object:    object,
			Namespace: asked.Namespace,
			Username:  request.UserInfo.Username,
			Source:    types.SourceTypeOriginal,
			Operation: request.Operation,
		})
		if err != nil {
			return webhook.Errored(http.StatusInternalServerError, err)
		}
		if !isChanged {
			return webhook.Allowed("")
		}
		mutated, err := object.MarshalJSON()
		if err != nil {
			return webhook.Errored(http.StatusInternalServerError, err)
		}
		return webhook.PatchResponseFromRaw(request.Object.Raw, mutated)
	})}
}

func newSystem(certificate *certificateFiles) *mutation.System {
	return mutation.NewSystem(mutation.SystemOpts{
		ProviderCache:                     certificate.providers,
		SendRequestToExternalDataProvider: answerKeys,
		ClientCertWatcher:                 certificate.watcher,
	})
}

func reply(line []byte, certificate *certificateFiles) (result answer) {
	result.Invalid = map[string]string{}
	result.Conflicts = []string{}
	defer func() {
		if problem := recover(); problem != nil {
			result.Error = fmt.Sprintf("panic: %v", problem)
		}
	}()
	var asked question
	if err := decode(line, &asked); err != nil {
		result.Error = "cannot read the line: " + err.Error()
		return result
	}
	system := newSystem(certificate)
	var ids []types.ID
	for _, raw := range asked.Mutators {
		name, mutator, err := readMutator(raw, asked.ExactNumbers)
		if err != nil {
			result.Invalid[name] = err.Error()
			continue
		}
		// A conflict is an error here, and no reason not to keep the mutator.
		_ = system.Upsert(mutator)
		ids = append(ids, mutator.ID())
	}
	for _, id := range ids {
		if len(system.GetConflicts(id)) > 0 && inConflict(system, id) {
			result.Conflicts = append(result.Conflicts, id.Kind+"/"+id.Name)
		}
	}
	sort.Strings(result.Conflicts)
	if len(asked.Object) == 0 {
		return result
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(asked.Object); err != nil {
		result.Error = err.Error()
		return result
	}
	_, err := system.Mutate(context.Background(), &types.Mutable{
		Object:    object,
		Namespace: asked.Namespace,
		Username:  asked.Username,
		Source:    types.SourceTypeOriginal,
		Operation: admission.Operation(asked.Operation),
	})
	if err != nil {
		result.Error = err.Error()
		return result
	}
	result.Object = object.Object
	return result
}

// GetConflicts names everything in conflict along a path; only those named are switched off.
func inConflict(system *mutation.System, id types.ID) bool {
	return system.GetConflicts(id)[id]
}

// Like the API machinery: integers stay integers, where the type allows it.
func decode(raw []byte, into any) error {
	return kjson.UnmarshalCaseSensitivePreserveInts(raw, into)
}

func readMutator(raw []byte, exact bool) (string, types.Mutator, error) {
	var head struct {
		Kind     string `json:"kind"`
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
	}
	if err := decode(raw, &head); err != nil {
		return "", nil, err
	}
	name := head.Kind + "/" + head.Metadata.Name
	switch head.Kind {
	case "Assign":
		var resource resources.Assign
		if err := decode(raw, &resource); err != nil {
			return name, nil, err
		}
		fillIn(&resource.Spec.Parameters.Assign)
		if exact {
			integers(&resource.Spec.Parameters.Assign)
		}
		mutator, err := mutators.MutatorForAssign(&resource)
		return name, mutator, err
	case "AssignMetadata":
		var resource resources.AssignMetadata
		if err := decode(raw, &resource); err != nil {
			return name, nil, err
		}
		fillIn(&resource.Spec.Parameters.Assign)
		mutator, err := mutators.MutatorForAssignMetadata(&resource)
		return name, mutator, err
	case "ModifySet":
		var resource resources.ModifySet
		if err := decode(raw, &resource); err != nil {
			return name, nil, err
		}
		if resource.Spec.Parameters.Operation == "" {
			resource.Spec.Parameters.Operation = resources.MergeOp
		}
		mutator, err := mutators.MutatorForModifySet(&resource)
		return name, mutator, err
	case "AssignImage":
		var resource resources.AssignImage
		if err := decode(raw, &resource); err != nil {
			return name, nil, err
		}
		mutator, err := mutators.MutatorForAssignImage(&resource)
		return name, mutator, err
	}
	return name, nil, fmt.Errorf("unknown kind %q", head.Kind)
}

// The defaults of the custom resource definitions.
func fillIn(field *resources.AssignField) {
	if field.ExternalData == nil {
		return
	}
	if field.ExternalData.DataSource == "" {
		field.ExternalData.DataSource = types.DataSourceValueAtLocation
	}
	if field.ExternalData.FailurePolicy == "" {
		field.ExternalData.FailurePolicy = types.FailurePolicyFail
	}
}

func integers(field *resources.AssignField) {
	if field.Value != nil {
		field.Value.Value = withIntegers(field.Value.Value)
	}
}

func withIntegers(value any) any {
	switch typed := value.(type) {
	case float64:
		if typed == math.Trunc(typed) && math.Abs(typed) < 1<<53 {
			return int64(typed)
		}
	case []any:
		for index := range typed {
			typed[index] = withIntegers(typed[index])
		}
	case map[string]any:
		for key := range typed {
			typed[key] = withIntegers(typed[key])
		}
	}
	return value
}

func answerKeys(_ context.Context, asked *provider.Provider, keys []string, _ *tls.Certificate) (*answers.ProviderResponse, int, error) {
	if asked.Name == "broken" {
		return nil, 500, fmt.Errorf("out of order")
	}
	reply := &answers.ProviderResponse{Response: answers.Response{Idempotent: true}}
	for _, key := range keys {
		value := key
		if !strings.HasPrefix(key, answered) {
			value = answered + key
		}
		reply.Response.Items = append(reply.Response.Items, answers.Item{Key: key, Value: value})
	}
	return reply, 200, nil
}

type certificateFiles struct {
	watcher   *certwatcher.CertWatcher
	providers *answers.ProviderCache
}

// Gatekeeper asks providers with a client certificate; nobody checks it here.
func writeCertificate() (*certificateFiles, error) {
	folder, err := os.MkdirTemp("", "oracle-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	keyDer, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	certPath, keyPath := filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key")
	if err := os.WriteFile(certPath, certificate, 0o600); err != nil {
		return nil, err
	}
	if err := os.WriteFile(keyPath, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDer}), 0o600); err != nil {
		return nil, err
	}
	watcher, err := certwatcher.New(certPath, keyPath)
	if err != nil {
		return nil, err
	}
	providers := answers.NewCache()
	for _, name := range []string{"names", "broken"} {
		resource := &provider.Provider{Spec: provider.ProviderSpec{URL: "https://" + name + "/", Timeout: 1, CABundle: base64.StdEncoding.EncodeToString(certificate)}}
		resource.Name = name
		if err := providers.Upsert(resource); err != nil {
			return nil, err
		}
	}
	return &certificateFiles{watcher, providers}, nil
}
