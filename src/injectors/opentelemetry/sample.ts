import type { Sample } from '../../sdk/index.ts';

export const sample: Sample = {
  title: 'A Java application',
  yaml: `apiVersion: v1
kind: Pod
metadata:
  name: catalog
  namespace: shop
  annotations:
    instrumentation.opentelemetry.io/inject-java: "true"
spec:
  containers:
    - name: catalog
      image: registry.example.com/shop/catalog:2.7.3
---
apiVersion: opentelemetry.io/v1alpha1
kind: Instrumentation
metadata:
  name: default
  namespace: shop
spec:
  exporter: {endpoint: "http://collector.observability:4318"}
  propagators: [tracecontext, baggage]
`,
};
