/** The start of an example: a webhook and its Service. What follows is the Deployment that the example is about. */
export const WEBHOOK_AND_SERVICE = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    clientConfig: {service: {namespace: example, name: webhook}}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
---
apiVersion: v1
kind: Service
metadata: {namespace: example, name: webhook}
spec:
  selector: {app: webhook}
  ports: [{port: 443, targetPort: 8443}]
---
`;
