/** An example with a bundle, and a certificate in a Secret that the Pods mount. */
export function secretSample(caBundle: string, certificate: string): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    clientConfig:
      caBundle: ${caBundle}
      service: {namespace: example, name: webhook}
---
apiVersion: v1
kind: Service
metadata: {namespace: example, name: webhook}
spec: {selector: {app: webhook}, ports: [{port: 443}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: example, name: webhook}
spec:
  template:
    metadata: {labels: {app: webhook}}
    spec:
      containers: [{name: webhook}]
      volumes: [{name: tls, secret: {secretName: webhook-tls}}]
---
apiVersion: v1
kind: Secret
metadata: {namespace: example, name: webhook-tls}
data:
  tls.crt: ${certificate}
`;
}
