package main

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	podutil "k8s.io/kubernetes/pkg/api/pod"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/capabilities"
)

// Every cluster that runs a service mesh or a network plugin is started so.
func init() { capabilities.Setup(true, 0) }

type podsAnswer struct {
	Pods []storedPod `json:"pods"`
}

type storedPod struct {
	// Why it cannot be decoded.
	Error string `json:"error,omitempty"`
	// With the API's defaults, as it is passed to webhooks.
	Pod json.RawMessage `json:"pod,omitempty"`
	// Why it is rejected.
	Invalid []fieldError `json:"invalid,omitempty"`
}

type fieldError struct {
	Field   string `json:"field"`
	Type    string `json:"type"`
	Message string `json:"message"`
}

func storedPods(texts []json.RawMessage) (podsAnswer, error) {
	result := podsAnswer{Pods: []storedPod{}}
	for _, text := range texts {
		pod, err := stored(text)
		if err != nil {
			return result, err
		}
		result.Pods = append(result.Pods, pod)
	}
	return result, nil
}

func stored(text json.RawMessage) (storedPod, error) {
	decoder := legacyscheme.Codecs.UniversalDecoder(core.SchemeGroupVersion)
	object, _, err := decoder.Decode(text, nil, nil)
	if err != nil {
		return storedPod{Error: err.Error()}, nil
	}
	pod, isPod := object.(*core.Pod)
	if !isPod {
		return storedPod{Error: "not a Pod"}, nil
	}
	encoded, err := runtime.Encode(legacyscheme.Codecs.LegacyCodec(corev1.SchemeGroupVersion), pod)
	return storedPod{Pod: encoded, Invalid: problems(pod)}, err
}

// problems validates a Pod as on creation. Its name is generated, and its namespace and ServiceAccount are filled in before.
func problems(pod *core.Pod) []fieldError {
	if pod.Name == "" && pod.GenerateName != "" {
		pod.Name = pod.GenerateName + "abcde"
	}
	if pod.Namespace == "" {
		pod.Namespace = "default"
	}
	if pod.Spec.ServiceAccountName == "" {
		pod.Spec.ServiceAccountName = "default"
	}
	podutil.DropDisabledPodFields(pod, nil)
	options := podutil.GetValidationOptionsFromPodSpecAndMeta(&pod.Spec, nil, &pod.ObjectMeta, nil)
	options.ResourceIsPod = true
	var result []fieldError
	for _, each := range validation.ValidatePodCreate(pod, options) {
		result = append(result, fieldError{Field: each.Field, Type: string(each.Type), Message: each.ErrorBody()})
	}
	return result
}
