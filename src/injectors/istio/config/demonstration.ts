import type { ConfigurationTexts } from './configuration.ts';

const template = `
{{- $native := .NativeSidecars }}
{{- with index .ObjectMeta.Annotations "sidecar.istio.io/nativeSidecar" }}{{ $native = ne . "false" }}{{ end }}
metadata:
  annotations:
    podgraft.dev/demonstration: "This proxy was injected by a built-in template. It is not part of a mesh."
    istio.io/rev: {{ .Revision | default "default" | quote }}
spec:
  initContainers:
  - name: istio-init
    image: {{ .ProxyInitImage | quote }}
    args: [istio-iptables, -p, "15001", -z, "15006", -u, {{ .ProxyUID | quote }}, -m, REDIRECT, -i, "*", -b, "*", -d, "15020,15021,15090"]
    securityContext:
      runAsUser: 0
      runAsNonRoot: false
      capabilities:
        add: [NET_ADMIN, NET_RAW]
        drop: [ALL]
  {{- if not $native }}
  containers:
  {{- end }}
  - name: istio-proxy
    image: {{ .ProxyImage | quote }}
    {{- if $native }}
    restartPolicy: Always
    {{- end }}
    args: [proxy, sidecar]
    ports:
    - name: http-envoy-prom
      containerPort: 15090
      protocol: TCP
    env:
    - name: POD_NAME
      valueFrom: {fieldRef: {fieldPath: metadata.name}}
    - name: POD_NAMESPACE
      valueFrom: {fieldRef: {fieldPath: metadata.namespace}}
    - name: INSTANCE_IP
      valueFrom: {fieldRef: {fieldPath: status.podIP}}
    - name: CA_ADDR
      value: {{ .ProxyConfig.DiscoveryAddress | quote }}
    - name: PROXY_CONFIG
      value: {{ protoToJSON .ProxyConfig | quote }}
    - name: ISTIO_META_WORKLOAD_NAME
      value: {{ .DeploymentMeta.Name | quote }}
    readinessProbe:
      httpGet: {path: /healthz/ready, port: 15021}
    resources:
      requests: {cpu: 10m, memory: 40Mi}
    securityContext:
      runAsUser: {{ .ProxyUID }}
      runAsGroup: {{ .ProxyGID }}
      runAsNonRoot: true
      allowPrivilegeEscalation: false
      capabilities:
        drop: [ALL]
    volumeMounts:
    - name: istio-envoy
      mountPath: /etc/istio/proxy
  volumes:
  - name: istio-envoy
    emptyDir: {medium: Memory}
`;

/** For trials on clusters without Istio: shows what a sidecar looks like, but the proxy does not work. Written for Podgraft. */
export const DEMONSTRATION: ConfigurationTexts = {
  config: JSON.stringify({
    policy: 'enabled',
    defaultTemplates: ['sidecar'],
    templates: { sidecar: template },
  }),
  values: JSON.stringify({
    global: {
      hub: 'docker.io/istio',
      tag: '1.29.0',
      proxy: { image: 'proxyv2' },
      proxy_init: { image: 'proxyv2' },
    },
    sidecarInjectorWebhook: { rewriteAppHTTPProbe: true },
  }),
  mesh: '{}',
};
