package main

import (
	"context"
	"fmt"
	"sync"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	clientcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	listerscorev1 "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kube-openapi/pkg/builder3"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

func (c *cluster) namespaces() listerscorev1.NamespaceLister {
	indexer := newIndexer()
	for _, each := range c.spaces {
		_ = indexer.Add(each)
	}
	return listerscorev1.NewNamespaceLister(indexer)
}

func newIndexer() cache.Indexer {
	return cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
}

// params returns an informer of ConfigMaps, the only parameters that cases have. Informers' objects have neither kind nor apiVersion.
func (c *cluster) params(kind *admissionregistrationv1.ParamKind) (informers.GenericInformer, meta.RESTScope, error) {
	if kind == nil {
		return nil, nil, nil
	}
	if kind.APIVersion != "v1" || kind.Kind != "ConfigMap" {
		return nil, nil, fmt.Errorf("unexpected paramKind %v", kind)
	}
	indexer := newIndexer()
	for _, each := range c.configMaps {
		bare := each.DeepCopy()
		bare.TypeMeta = metav1.TypeMeta{}
		_ = indexer.Add(bare)
	}
	return fixedInformer{indexer: indexer}, meta.RESTScopeNamespace, nil
}

// fixedInformer has the same objects for ever.
type fixedInformer struct {
	cache.SharedIndexInformer
	indexer cache.Indexer
}

func (f fixedInformer) Informer() cache.SharedIndexInformer { return f }
func (f fixedInformer) HasSynced() bool                     { return true }
func (f fixedInformer) Lister() cache.GenericLister {
	return cache.NewGenericLister(f.indexer, schema.GroupResource{Resource: "configmaps"})
}

// noClient is asked for Namespaces that the informer does not have.
type noClient struct{ kubernetes.Interface }

func (noClient) CoreV1() clientcorev1.CoreV1Interface { return noCore{} }

type noCore struct{ clientcorev1.CoreV1Interface }

func (noCore) Namespaces() clientcorev1.NamespaceInterface { return noNamespaces{} }

type noNamespaces struct {
	clientcorev1.NamespaceInterface
}

func (noNamespaces) Get(_ context.Context, name string, _ metav1.GetOptions) (*corev1.Namespace, error) {
	return nil, apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, name)
}

// schemas are those of the API server's own OpenAPI document.
type schemas struct{}

func (schemas) Run(context.Context) {}

func (schemas) GetTypeConverter(schema.GroupVersionKind) managedfields.TypeConverter {
	return typeConverter()
}

var typeConverter = sync.OnceValue(func() managedfields.TypeConverter {
	namer := openapinamer.NewDefinitionNamer(legacyscheme.Scheme)
	config := genericapiserver.DefaultOpenAPIV3Config(openapi.GetOpenAPIDefinitions, namer)
	spec, err := builder3.BuildOpenAPIDefinitionsForResources(config, corev1.Pod{}.OpenAPIModelName(),
		corev1.Service{}.OpenAPIModelName(), appsv1.Deployment{}.OpenAPIModelName())
	if err != nil {
		panic(err)
	}
	converter, err := managedfields.NewTypeConverter(spec, false)
	if err != nil {
		panic(err)
	}
	return converter
})
