import type { Sample } from '../../sdk/index.ts';

export const sample: Sample = {
  title: 'A Pod and a mutator',
  yaml: `apiVersion: v1
kind: Pod
metadata:
  name: till
  namespace: shop
spec:
  containers:
    - name: till
      image: shop/till:1.4
---
apiVersion: mutations.gatekeeper.sh/v1alpha1
kind: AssignImage
metadata:
  name: mirror
spec:
  applyTo:
    - {groups: [""], kinds: [Pod], versions: [v1]}
  location: spec.containers[name:*].image
  parameters:
    assignDomain: mirror.example.com
`,
};
