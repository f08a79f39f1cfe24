import type { Sample } from '../../sdk/index.ts';

export const sample: Sample = {
  title: 'A Pod of the mesh',
  yaml: `apiVersion: v1
kind: Pod
metadata:
  name: storefront
  namespace: shop
  labels: {app: storefront}
spec:
  containers:
    - name: storefront
      image: registry.example.com/storefront:2.4.1
      ports: [{name: http, containerPort: 8080}]
---
apiVersion: v1
kind: Namespace
metadata:
  name: shop
  labels: {istio-injection: enabled}
`,
};
