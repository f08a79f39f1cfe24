import type { Sample } from '../../sdk/index.ts';

export const sample: Sample = {
  title: 'A Deployment in production',
  yaml: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
  namespace: prod-eu
spec:
  replicas: 1
  selector: {matchLabels: {app: shop}}
  template:
    metadata:
      labels: {app: shop}
    spec:
      containers:
        - name: shop
          image: registry.example.com/shop:2.4.1
          env:
            - {name: REGION, value: eu-central-1} # kept
`,
};
