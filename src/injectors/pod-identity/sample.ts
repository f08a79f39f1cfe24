import type { Sample } from '../../sdk/index.ts';

export const sample: Sample = {
  title: 'A Pod with an IAM role',
  yaml: `apiVersion: v1
kind: Pod
metadata:
  name: reports
  namespace: team-a
spec:
  serviceAccountName: reports
  containers:
    - name: web
      image: registry.example.com/reports:1.4.0
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: reports
  namespace: team-a
  annotations:
    eks.amazonaws.com/role-arn: arn:aws:iam::444455556666:role/team-a/reports
`,
};
