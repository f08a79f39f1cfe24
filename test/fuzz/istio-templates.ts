/** Uses every part of a Pod that Istio's templates use, and puts users' texts into YAML with and without quotes. */
const sidecar = `
{{- $native := .NativeSidecars }}
{{- with index .ObjectMeta.Annotations "sidecar.istio.io/nativeSidecar" }}{{ $native = eq . "true" }}{{ end }}
metadata:
  labels:
    service.istio.io/canonical-name: {{ index .ObjectMeta.Labels "app" | default .DeploymentMeta.Name | quote }}
  annotations:
    istio.io/rev: {{ .Revision | default "default" | quote }}
    {{- if not (isset .ObjectMeta.Annotations "kubectl.kubernetes.io/default-logs-container") }}
    kubectl.kubernetes.io/default-logs-container: "{{ with .Spec.Containers }}{{ (index . 0).Name }}{{ end }}"
    {{- end }}
    {{- if isset .ObjectMeta.Annotations "k8s.v1.cni.cncf.io/networks" }}
    k8s.v1.cni.cncf.io/networks: "{{ appendMultusNetwork (index .ObjectMeta.Annotations "k8s.v1.cni.cncf.io/networks") "default/istio-cni" | js }}"
    {{- end }}
spec:
  initContainers:
  - name: istio-init
    image: {{ .ProxyInitImage | quote }}
    args:
    - istio-iptables
    - "-i"
    - "{{ annotation .ObjectMeta "traffic.sidecar.istio.io/includeOutboundIPRanges" "*" }}"
    {{- if isset .ObjectMeta.Annotations "traffic.sidecar.istio.io/includeInboundPorts" }}
    - "-b"
    - "{{ annotation .ObjectMeta "traffic.sidecar.istio.io/includeInboundPorts" "*" }}"
    {{- end }}
    - "-x"
    - "{{ annotation .ObjectMeta "traffic.sidecar.istio.io/excludeOutboundIPRanges" "" }}"
    - "-q"
    - "{{ annotation .ObjectMeta "traffic.sidecar.istio.io/includeOutboundPorts" "" }}"
    - "-o"
    - "{{ annotation .ObjectMeta "traffic.sidecar.istio.io/excludeOutboundPorts" "" }}"
    - "-c"
    - "{{ annotation .ObjectMeta "traffic.sidecar.istio.io/excludeInterfaces" "" }}"
    - "-k"
    - "{{ annotation .ObjectMeta "traffic.sidecar.istio.io/kubevirtInterfaces" "" }}{{ index .ObjectMeta.Annotations "istio.io/reroute-virtual-interfaces" }}"
    - "-d"
    - {{ excludeInboundPort (annotation .ObjectMeta "status.sidecar.istio.io/port" .ProxyConfig.StatusPort) (annotation .ObjectMeta "traffic.sidecar.istio.io/excludeInboundPorts" "") | quote }}
  {{- if not $native }}
  containers:
  {{- end }}
  - name: istio-proxy
    image: "{{ annotation .ObjectMeta "sidecar.istio.io/proxyImage" .ProxyImage }}"
    {{ if $native }}restartPolicy: Always{{ end }}
    args:
    - proxy
    - "--proxyLogLevel={{ annotation .ObjectMeta "sidecar.istio.io/logLevel" "warning" }}"
    - "--proxyComponentLogLevel={{ annotation .ObjectMeta "sidecar.istio.io/componentLogLevel" "misc:error" }}"
    - "--log_output_level={{ annotation .ObjectMeta "sidecar.istio.io/agentLogLevel" "default:info" }}"
    readinessProbe:
      httpGet: {path: /healthz/ready, port: 15021}
      initialDelaySeconds: {{ annotation .ObjectMeta "readiness.status.sidecar.istio.io/initialDelaySeconds" 0 }}
      periodSeconds: {{ annotation .ObjectMeta "readiness.status.sidecar.istio.io/periodSeconds" 15 }}
      failureThreshold: {{ annotation .ObjectMeta "readiness.status.sidecar.istio.io/failureThreshold" 4 }}
    ports: [{containerPort: 15090, name: http-envoy-prom, protocol: TCP}]
    {{- if eq .ProxyConfig.InterceptionMode.String "TPROXY" }}
    securityContext: {capabilities: {add: [NET_ADMIN]}}
    {{- end }}
    env:
    - name: PROXY_CONFIG
      value: |
             {{ protoToJSON .ProxyConfig }}
    - name: PORTS
      value: |-
        [
        {{- $first := true }}
        {{- range .Spec.Containers }}{{ range .Ports }}
          {{- if not $first }},{{ end }}{{ structToJSON . }}{{ $first = false }}
        {{- end }}{{ end }}
        ]
    - name: CONTAINERS
      value: "{{ $comma := false }}{{ range .Spec.Containers }}{{ if $comma }},{{ end }}{{ .Name }}{{ $comma = true }}{{ end }}"
    {{- if .ObjectMeta.Annotations }}
    - name: ISTIO_METAJSON_ANNOTATIONS
      value: |
             {{ toJSON .ObjectMeta.Annotations }}
    {{- end }}
    {{- if isset .ObjectMeta.Annotations "apm.datadoghq.com/env" }}
    {{- range $key, $value := fromJSON (index .ObjectMeta.Annotations "apm.datadoghq.com/env") }}
    - name: {{ $key }}
      value: "{{ $value }}"
    {{- end }}
    {{- end }}
    {{- range $key, $value := .ProxyConfig.ProxyMetadata }}
    - name: {{ $key }}
      value: "{{ $value }}"
    {{- end }}
    - {name: OTEL, value: {{ otelResourceAttributes .DeploymentMeta .ObjectMeta.Labels .ObjectMeta.Annotations "x" .Spec.Containers | quote }}}
    resources:
      requests:
        cpu: {{ index .ObjectMeta.Annotations "sidecar.istio.io/proxyCPU" | default "10m" | quote }}
        memory: {{ index .ObjectMeta.Annotations "sidecar.istio.io/proxyMemory" | default "40Mi" | quote }}
      {{- if or (isset .ObjectMeta.Annotations "sidecar.istio.io/proxyCPULimit") (isset .ObjectMeta.Annotations "sidecar.istio.io/proxyMemoryLimit") }}
      limits:
        {{- with index .ObjectMeta.Annotations "sidecar.istio.io/proxyCPULimit" }}
        cpu: "{{ . }}"
        {{- end }}
        {{- with index .ObjectMeta.Annotations "sidecar.istio.io/proxyMemoryLimit" }}
        memory: "{{ . }}"
        {{- end }}
      {{- end }}
    volumeMounts:
    - {name: istio-envoy, mountPath: /etc/istio/proxy}
    {{- if isset .ObjectMeta.Annotations "sidecar.istio.io/userVolumeMount" }}
    {{ range $index, $value := fromJSON (index .ObjectMeta.Annotations "sidecar.istio.io/userVolumeMount") }}
    - name: "{{ $index }}"
      {{ toYaml $value | indent 6 }}
    {{ end }}
    {{- end }}
  volumes:
  - {name: istio-envoy, emptyDir: {medium: Memory}}
  {{- if isset .ObjectMeta.Annotations "sidecar.istio.io/bootstrapOverride" }}
  - name: custom-bootstrap-volume
    configMap: {name: {{ annotation .ObjectMeta "sidecar.istio.io/bootstrapOverride" "" }}}
  {{- end }}
  {{- if isset .ObjectMeta.Annotations "sidecar.istio.io/userVolume" }}
  {{ range $index, $value := fromJSON (index .ObjectMeta.Annotations "sidecar.istio.io/userVolume") }}
  - name: "{{ $index }}"
    {{ toYaml $value | indent 4 }}
  {{ end }}
  {{- end }}
`;

/** Adds to every container, and has no proxy. */
const grpc = `
spec:
  containers:
  {{- range $index, $container := .Spec.Containers }}
  {{ if not (eq $container.Name "istio-proxy") }}
  - name: {{ $container.Name }}
    env:
    - {name: GRPC_XDS_BOOTSTRAP, value: /etc/istio/proxy/grpc-bootstrap.json}
    volumeMounts:
    - {name: grpc-xds, mountPath: /var/lib/grpc/data}
  {{- end }}
  {{- end }}
  volumes:
  - {name: grpc-xds, emptyDir: {medium: Memory}}
`;

/** Patches the proxy and adds a container. */
const extra = `
spec:
  containers:
  - {name: istio-proxy, args: [proxy, more]}
  - {name: helper, image: helper}
`;

const quoted = `
spec:
  containers:
  - name: istio-proxy
    image: x
    env: [{name: ALL, value: {{ toJSON .ObjectMeta.Annotations | quote }}}]
  volumes:
  - {name: {{ index .ObjectMeta.Annotations "filebeat.configmap" | default "x" }}, emptyDir: {}}
`;

export const istioTemplates = { sidecar, grpc, extra, quoted };
