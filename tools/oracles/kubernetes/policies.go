package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	_ "unsafe" // for go:linkname

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/admissionregistration"
	"k8s.io/kubernetes/pkg/apis/admissionregistration/validation"
)

type policyCase struct {
	// Policies, bindings, Namespaces and ConfigMaps.
	Resources []json.RawMessage `json:"resources"`
	Object    json.RawMessage   `json:"object"`
	OldObject json.RawMessage   `json:"oldObject"`
	Request   struct {
		Operation string `json:"operation"`
		// A lower-case plural.
		Resource  string                    `json:"resource"`
		Name      string                    `json:"name"`
		Namespace string                    `json:"namespace"`
		DryRun    bool                      `json:"dryRun"`
		UserInfo  authenticationv1.UserInfo `json:"userInfo"`
	} `json:"request"`
	Authorizer []rule `json:"authorizer"`
}

type policyAnswer struct {
	// By kind and name: why a policy or binding cannot be created. Nothing else is run then.
	Invalid map[string][]string `json:"invalid,omitempty"`
	// The object as policies receive it, and afterwards.
	Seen             json.RawMessage   `json:"seen,omitempty"`
	Object           json.RawMessage   `json:"object,omitempty"`
	Reinvoked        bool              `json:"reinvoked,omitempty"`
	Error            *policyError      `json:"error,omitempty"`
	Warnings         []string          `json:"warnings,omitempty"`
	AuditAnnotations map[string]string `json:"auditAnnotations,omitempty"`
}

type policyError struct {
	Phase   string   `json:"phase"`
	Code    int32    `json:"code"`
	Reason  string   `json:"reason,omitempty"`
	Message string   `json:"message"`
	Causes  []string `json:"causes,omitempty"`
}

//go:linkname compileMutating k8s.io/apiserver/pkg/admission/plugin/policy/mutating.compilePolicy
func compileMutating(*mutating.Policy) mutating.PolicyEvaluator

//go:linkname compileValidating k8s.io/apiserver/pkg/admission/plugin/policy/validating.compilePolicy
func compileValidating(*validating.Policy) validating.Validator

func admit(asked policyCase) (result policyAnswer, err error) {
	// The API server closes the connection without an answer.
	defer func() {
		if cause := recover(); cause != nil {
			result.Error = &policyError{Phase: "panic", Message: fmt.Sprint(cause)}
		}
	}()
	cluster, invalid, err := clusterOf(asked.Resources)
	if err != nil || len(invalid) > 0 {
		return policyAnswer{Invalid: invalid}, err
	}
	request, err := requestOf(asked)
	if err != nil {
		return policyAnswer{}, err
	}
	result.AuditAnnotations = request.annotations
	if result.Seen, err = encoded(request.GetObject()); err != nil {
		return result, err
	}
	warnings := &warningList{}
	ctx := warning.WithWarningRecorder(context.Background(), warnings)
	matcher := matching.NewMatcher(cluster.namespaces(), noClient{})
	objects := admission.NewObjectInterfacesFromScheme(legacyscheme.Scheme)
	authorize := authorizerOf(asked.Authorizer)

	mutate := mutating.NewDispatcher(authorize, matcher, schemas{})
	again := request.GetReinvocationContext()
	hooks := cluster.mutatingHooks()
	problem := mutate.Dispatch(ctx, request, objects, hooks)
	if problem == nil && again.ShouldReinvoke() {
		again.SetIsReinvoke()
		problem = mutate.Dispatch(ctx, request, objects, hooks)
	}
	if problem != nil {
		result.Error = statusOf("mutating", problem)
		return result, nil
	}
	result.Reinvoked = again.IsReinvoke()
	if result.Object, err = encoded(request.GetObject()); err != nil {
		return result, err
	}
	validate := validating.NewDispatcher(authorize, generic.NewPolicyMatcher(matcher))
	if problem := validate.Dispatch(ctx, request, objects, cluster.validatingHooks()); problem != nil {
		result.Error = statusOf("validating", problem)
	}
	result.Warnings = warnings.texts
	return result, nil
}

// cluster has the objects that policies look at.
type cluster struct {
	mutating           []*mutating.Policy
	mutatingBindings   []*mutating.PolicyBinding
	validating         []*validating.Policy
	validatingBindings []*validating.PolicyBinding
	spaces             []*corev1.Namespace
	configMaps         []*corev1.ConfigMap
}

func clusterOf(resources []json.RawMessage) (*cluster, map[string][]string, error) {
	result := &cluster{}
	invalid := map[string][]string{}
	for _, text := range resources {
		object, err := versioned(text)
		if err != nil {
			return nil, nil, err
		}
		switch typed := object.(type) {
		case *mutating.Policy:
			result.mutating = append(result.mutating, typed)
		case *mutating.PolicyBinding:
			result.mutatingBindings = append(result.mutatingBindings, typed)
		case *validating.Policy:
			result.validating = append(result.validating, typed)
		case *validating.PolicyBinding:
			result.validatingBindings = append(result.validatingBindings, typed)
		case *corev1.Namespace:
			result.spaces = append(result.spaces, typed)
		case *corev1.ConfigMap:
			result.configMaps = append(result.configMaps, typed)
		default:
			return nil, nil, fmt.Errorf("unexpected %T", object)
		}
		problems, err := configurationProblems(object)
		if err != nil {
			return nil, nil, err
		}
		for _, each := range problems {
			key := object.GetObjectKind().GroupVersionKind().Kind + "/" + object.(metav1.Object).GetName()
			invalid[key] = append(invalid[key], each.Field+": "+each.ErrorBody())
		}
	}
	return result, invalid, nil
}

// configurationProblems is API validation on creation.
func configurationProblems(object runtime.Object) (field.ErrorList, error) {
	if object.GetObjectKind().GroupVersionKind().Group != admissionregistrationv1.GroupName {
		return nil, nil
	}
	internal, err := legacyscheme.Scheme.ConvertToVersion(object, admissionregistration.SchemeGroupVersion)
	if err != nil {
		return nil, err
	}
	switch typed := internal.(type) {
	case *admissionregistration.MutatingAdmissionPolicy:
		return validation.ValidateMutatingAdmissionPolicy(typed), nil
	case *admissionregistration.MutatingAdmissionPolicyBinding:
		return validation.ValidateMutatingAdmissionPolicyBinding(typed), nil
	case *admissionregistration.ValidatingAdmissionPolicy:
		return validation.ValidateValidatingAdmissionPolicy(typed), nil
	case *admissionregistration.ValidatingAdmissionPolicyBinding:
		return validation.ValidateValidatingAdmissionPolicyBinding(typed), nil
	}
	return nil, fmt.Errorf("unexpected %T", internal)
}

// hooks of policies without bindings do not exist.
func (c *cluster) mutatingHooks() []mutating.PolicyHook {
	var hooks []mutating.PolicyHook
	for _, policy := range c.mutating {
		hook := mutating.PolicyHook{Policy: policy, Evaluator: compileMutating(policy)}
		hook.ParamInformer, hook.ParamScope, hook.ConfigurationError = c.params(policy.Spec.ParamKind)
		for _, binding := range c.mutatingBindings {
			if binding.Spec.PolicyName == policy.Name {
				hook.Bindings = append(hook.Bindings, binding)
			}
		}
		hooks = append(hooks, hook)
	}
	return hooks
}

func (c *cluster) validatingHooks() []validating.PolicyHook {
	var hooks []validating.PolicyHook
	for _, policy := range c.validating {
		hook := validating.PolicyHook{Policy: policy, Evaluator: compileValidating(policy)}
		hook.ParamInformer, hook.ParamScope, hook.ConfigurationError = c.params(policy.Spec.ParamKind)
		for _, binding := range c.validatingBindings {
			if binding.Spec.PolicyName == policy.Name {
				hook.Bindings = append(hook.Bindings, binding)
			}
		}
		hooks = append(hooks, hook)
	}
	return hooks
}

// request records audit annotations.
type request struct {
	admission.Attributes
	annotations map[string]string
}

func (r *request) AddAnnotation(key, value string) error {
	err := r.Attributes.AddAnnotation(key, value)
	if err == nil {
		r.annotations[key] = value
	}
	return err
}

func requestOf(asked policyCase) (*request, error) {
	object, err := internal(asked.Object)
	if err != nil {
		return nil, err
	}
	oldObject, err := internal(asked.OldObject)
	if err != nil {
		return nil, err
	}
	text := asked.Object
	if object == nil {
		text = asked.OldObject
	}
	known, err := versioned(text)
	if err != nil {
		return nil, err
	}
	kind := known.GetObjectKind().GroupVersionKind()
	resource, _ := meta.UnsafeGuessKindToResource(kind)
	if asked.Request.Resource != "" {
		resource.Resource = asked.Request.Resource
	}
	described := known.(metav1.Object)
	name, namespace := described.GetName(), described.GetNamespace()
	if asked.Request.Namespace != "" {
		namespace = asked.Request.Namespace
	}
	if asked.Request.Name != "" {
		name = asked.Request.Name
	}
	operation := admission.Operation(asked.Request.Operation)
	if operation == "" {
		operation = admission.Create
	}
	record := admission.NewAttributesRecord(object, oldObject, kind, namespace, name, resource, "", operation,
		optionsOf(operation), asked.Request.DryRun, userOf(asked.Request.UserInfo))
	return &request{Attributes: record, annotations: map[string]string{}}, nil
}

func userOf(info authenticationv1.UserInfo) user.Info {
	extra := map[string][]string{}
	for key, values := range info.Extra {
		extra[key] = values
	}
	return &user.DefaultInfo{Name: info.Username, UID: info.UID, Groups: info.Groups, Extra: extra}
}

func optionsOf(operation admission.Operation) runtime.Object {
	switch operation {
	case admission.Create:
		return &metav1.CreateOptions{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "CreateOptions"}}
	case admission.Update:
		return &metav1.UpdateOptions{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "UpdateOptions"}}
	}
	return &metav1.DeleteOptions{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "DeleteOptions"}}
}

// versioned decodes an object into its own version, with the API's defaults.
func versioned(text json.RawMessage) (runtime.Object, error) {
	object, kind, err := legacyscheme.Codecs.UniversalDeserializer().Decode(text, nil, nil)
	if err != nil {
		return nil, err
	}
	legacyscheme.Scheme.Default(object)
	object.GetObjectKind().SetGroupVersionKind(*kind)
	return object, nil
}

// internal is the version that the API server works with.
func internal(text json.RawMessage) (runtime.Object, error) {
	if len(text) == 0 || string(text) == "null" {
		return nil, nil
	}
	object, err := versioned(text)
	if err != nil {
		return nil, err
	}
	hub := schema.GroupVersion{Group: object.GetObjectKind().GroupVersionKind().Group, Version: runtime.APIVersionInternal}
	return legacyscheme.Scheme.ConvertToVersion(object, hub)
}

func encoded(object runtime.Object) (json.RawMessage, error) {
	if object == nil {
		return nil, nil
	}
	kinds, _, err := legacyscheme.Scheme.ObjectKinds(object)
	if err != nil {
		return nil, err
	}
	version := schema.GroupVersion{Group: kinds[0].Group, Version: "v1"}
	return runtime.Encode(legacyscheme.Codecs.LegacyCodec(version), object)
}

func statusOf(phase string, err error) *policyError {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return &policyError{Phase: phase, Message: err.Error()}
	}
	found := status.Status()
	result := &policyError{Phase: phase, Code: found.Code, Reason: string(found.Reason), Message: found.Message}
	if found.Details != nil {
		for _, cause := range found.Details.Causes {
			result.Causes = append(result.Causes, cause.Message)
		}
	}
	return result
}

type warningList struct{ texts []string }

func (w *warningList) AddWarning(_, text string) { w.texts = append(w.texts, text) }
