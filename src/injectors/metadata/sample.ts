import type { Sample } from '../../sdk/index.ts';

export const sample: Sample = {
  title: 'A Pod',
  yaml: `apiVersion: v1
kind: Pod
metadata:
  name: myapp
spec:
  containers:
    - name: web
      image: nginx:1.27
      resources:
        requests: {cpu: 250m} # kept
`,
};
