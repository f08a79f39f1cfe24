package main

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/cel/environment"
	kjson "sigs.k8s.io/json"
)

type expressionCase struct {
	// expression, matchCondition, validation, messageExpression or auditAnnotation.
	Kind       string `json:"kind"`
	Expression string `json:"expression"`
	Variables  []struct {
		Name       string `json:"name"`
		Expression string `json:"expression"`
	} `json:"variables"`
	Object     json.RawMessage `json:"object"`
	OldObject  json.RawMessage `json:"oldObject"`
	ObjectJSON string          `json:"objectJSON"`
	// Declared if present, even if it is null.
	Params          json.RawMessage               `json:"params"`
	Request         *admissionv1.AdmissionRequest `json:"request"`
	NamespaceObject *corev1.Namespace             `json:"namespaceObject"`
	Authorizer      []rule                        `json:"authorizer"`
	User            string                        `json:"user"`
}

type expressionAnswer struct {
	CompileError string `json:"compileError,omitempty"`
	Type         string `json:"type,omitempty"`
	Error        string `json:"error,omitempty"`
	Value        any    `json:"value"`
	Cost         int64  `json:"cost"`
}

// More than any case costs.
const budget = 10_000_000

func evaluate(asked expressionCase) (expressionAnswer, error) {
	compiler, ctx, err := compilerFor(asked)
	if err != nil {
		return expressionAnswer{}, err
	}
	isMessage := asked.Kind == "messageExpression"
	declared := plugincel.OptionalVariableDeclarations{HasParams: asked.Params != nil, HasAuthorizer: !isMessage}
	compiled := compiler.CompileCELExpression(asked, declared, environment.StoredExpressions)
	if compiled.Error != nil {
		return expressionAnswer{CompileError: compiled.Error.Error()}, nil
	}
	result := expressionAnswer{Type: compiled.OutputType.String()}
	attributes, bindings, err := asked.inputs()
	if err != nil {
		return result, err
	}
	request := asked.Request
	if request == nil {
		request = &admissionv1.AdmissionRequest{}
	}
	namespace := asked.NamespaceObject
	if namespace != nil {
		namespace = plugincel.CreateNamespaceObject(namespace)
	}
	evaluator := plugincel.NewCondition([]plugincel.CompilationResult{compiled})
	evaluations, remaining, err := evaluator.ForInput(ctx, attributes, request, bindings, namespace, budget)
	if err != nil {
		result.Error = err.Error()
		return result, nil
	}
	result.Cost = budget - remaining
	if failed := evaluations[0].Error; failed != nil {
		result.Error = failed.Error()
	} else {
		result.Value = tagged(evaluations[0].EvalResult)
	}
	return result, nil
}

// Building an environment takes longer than anything else.
var withoutVariables = sync.OnceValues(func() (*plugincel.CompositedCompiler, error) {
	return plugincel.NewCompositedCompiler(baseEnvironment())
})

func baseEnvironment() *environment.EnvSet {
	return environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
}

// plainCompiler has no `variables`: webhooks' matchConditions.
var plainCompiler = sync.OnceValue(func() plugincel.Compiler { return plugincel.NewCompiler(baseEnvironment()) })

// compilerFor returns the context of evaluations, too, in which variables are found.
func compilerFor(asked expressionCase) (plugincel.Compiler, context.Context, error) {
	ctx := context.Background()
	if asked.Kind == "matchCondition" {
		return plainCompiler(), ctx, nil
	}
	if len(asked.Variables) == 0 {
		compiler, err := withoutVariables()
		return compiler, compiler.CreateContext(ctx), err
	}
	compiler, err := plugincel.NewCompositedCompiler(baseEnvironment())
	if err != nil {
		return nil, nil, err
	}
	declared := plugincel.OptionalVariableDeclarations{HasParams: asked.Params != nil, HasAuthorizer: true}
	for _, each := range asked.Variables {
		variable := &validating.Variable{Name: each.Name, Expression: each.Expression}
		compiler.CompileAndStoreVariable(variable, declared, environment.StoredExpressions)
	}
	return compiler, compiler.CreateContext(ctx), nil
}

func (c expressionCase) GetExpression() string { return c.Expression }

func (c expressionCase) ReturnTypes() []*cel.Type {
	switch c.Kind {
	case "expression":
		return []*cel.Type{cel.AnyType}
	case "messageExpression":
		return []*cel.Type{cel.StringType}
	case "auditAnnotation":
		return []*cel.Type{cel.StringType, cel.NullType}
	}
	return []*cel.Type{cel.BoolType}
}

func (c expressionCase) inputs() (*admission.VersionedAttributes, plugincel.OptionalVariableBindings, error) {
	var bindings plugincel.OptionalVariableBindings
	text := c.Object
	if c.ObjectJSON != "" {
		text = json.RawMessage(c.ObjectJSON)
	}
	object, err := untyped(text)
	if err != nil {
		return nil, bindings, err
	}
	oldObject, err := untyped(c.OldObject)
	if err != nil {
		return nil, bindings, err
	}
	if params, err := untyped(c.Params); err != nil {
		return nil, bindings, err
	} else if params != nil {
		bindings.VersionedParams = params
	}
	// Messages and audit annotations are evaluated without an authorizer.
	if !strings.HasPrefix(c.Kind, "message") && !strings.HasPrefix(c.Kind, "audit") {
		bindings.Authorizer = authorizerOf(c.Authorizer)
	}
	var resource schema.GroupVersionResource
	var name, namespace, subresource string
	if asked := c.Request; asked != nil {
		resource = schema.GroupVersionResource(asked.Resource)
		name, namespace, subresource = asked.Name, asked.Namespace, asked.SubResource
	}
	record := admission.NewAttributesRecord(object, oldObject, schema.GroupVersionKind{}, namespace, name, resource, subresource,
		admission.Create, nil, false, &user.DefaultInfo{Name: c.User})
	return &admission.VersionedAttributes{Attributes: record, VersionedObject: object, VersionedOldObject: oldObject}, bindings, nil
}

// untyped keeps integers apart from other numbers, as the API machinery does; nil for null.
func untyped(text json.RawMessage) (runtime.Object, error) {
	if len(text) == 0 || string(text) == "null" {
		return nil, nil
	}
	content := map[string]any{}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(text, &content); err != nil {
		return nil, err
	}
	return &unstructured.Unstructured{Object: content}, nil
}
