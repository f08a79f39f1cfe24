import type { PageState } from '../page/view.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

type Sample = PageState['samples'][number];

/** Objects to try the configured injectors on. The object comes first, followed by what the cluster would have. */
export function samplesFor({ stages }: Pick<Pipeline, 'stages'>): readonly Sample[] {
  const uses = new Set(stages.map(({ injector }) => injector.name));
  return SAMPLES.filter(({ injector }) => GENERAL.has(injector) || uses.has(injector));
}

/** These apply to any object. */
const GENERAL = new Set(['metadata', 'overlay']);

export const SAMPLES: readonly Sample[] = [
  {
    title: 'A Pod',
    injector: 'metadata',
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
  },
  {
    title: 'A Deployment in production',
    injector: 'overlay',
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
  },
  {
    title: 'A Java application',
    injector: 'opentelemetry',
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
  },
  {
    title: 'A Pod of the mesh',
    injector: 'istio',
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
  },
  {
    title: 'A Pod with an IAM role',
    injector: 'pod-identity',
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
  },
  {
    title: 'A Pod that ships its logs',
    injector: 'filebeat',
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
  },
  {
    title: 'A Pod and a mutator',
    injector: 'gatekeeper',
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
  },
  {
    title: 'A Pod and a policy',
    injector: 'admission-policy',
    yaml: `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - name: web
      image: nginx:1.29
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata:
  name: no-token
spec:
  reinvocationPolicy: IfNeeded
  matchConstraints:
    resourceRules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration:
        expression: "Object{spec: Object.spec{automountServiceAccountToken: false}}"
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata:
  name: no-token
spec:
  policyName: no-token
`,
  },
];
