import type { Sample } from '../../sdk/index.ts';

export const sample: Sample = {
  title: 'A Pod that ships its logs',
  yaml: `apiVersion: v1
kind: Pod
metadata:
  name: nginx
  labels: {app: nginx}
  annotations:
    filebeat.enabled: "true"
    filebeat.log-path: /var/log/nginx/*.log
spec:
  containers:
    - name: nginx
      image: nginx:1.27
`,
};
