{{- define "podgraft.selectorLabels" -}}
app.kubernetes.io/name: podgraft
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "podgraft.labels" -}}
{{ include "podgraft.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{- define "podgraft.secretName" -}}
{{ .Values.tls.secretName | default (printf "%s-tls" .Release.Name) }}
{{- end }}

{{- define "podgraft.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/* What the ConfigMap holds, as `podgraft manifests` makes it. */}}
{{- define "podgraft.data" -}}
{{- $data := dict "podgraft.yaml" (required "config is empty: run `podgraft manifests --config podgraft.yaml --chart-values > derived.yaml` and give it as -f derived.yaml" .Values.config) -}}
{{- range .Values.modules }}{{ $_ := set $data .key .text }}{{ end -}}
{{ toYaml $data }}
{{- end }}

{{/* Over keys and texts in the order of keys, which is that in which a template goes through a dict. */}}
{{- define "podgraft.configHash" -}}
{{- $data := dict "podgraft.yaml" .Values.config -}}
{{- range .Values.modules }}{{ $_ := set $data .key .text }}{{ end -}}
{{- $all := "" -}}
{{- range $key, $text := $data }}{{ $all = printf "%s%s\n%s\n" $all $key $text }}{{ end -}}
{{ $all | sha256sum }}
{{- end }}

{{/* The webhooks of a configuration; takes root, path and whether it is the mutating one. */}}
{{- define "podgraft.webhooks" -}}
{{- $root := .root -}}
{{- $webhook := $root.Values.webhook -}}
{{- $excluded := append $root.Values.derived.excludedNamespaces $root.Release.Namespace | uniq -}}
{{- range $root.Values.derived.webhooks }}
- name: {{ .name }}.podgraft.dev
  clientConfig:
    service:
      name: {{ $root.Release.Name }}
      namespace: {{ $root.Release.Namespace }}
      path: {{ $.path }}
      port: 443
    {{- if eq $root.Values.tls.mode "secret" }}
    caBundle: {{ required "tls.mode secret needs tls.caBundle" $root.Values.tls.caBundle }}
    {{- end }}
  # Only what the injectors match. Pods on CREATE only: their spec is immutable afterwards.
  rules: {{- toYaml .rules | nindent 4 }}
  # Not the namespaces that the configuration excludes, and not podgraft's own: it must always be able to start.
  namespaceSelector:
    {{- with dig "namespaceSelector" "matchLabels" dict . }}
    matchLabels: {{- toYaml . | nindent 6 }}
    {{- end }}
    matchExpressions:
      {{- with dig "namespaceSelector" "matchExpressions" list . }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
      - key: kubernetes.io/metadata.name
        operator: NotIn
        values: {{- toYaml $excluded | nindent 10 }}
      {{- with $webhook.onlyNamespaces }}
      - key: kubernetes.io/metadata.name
        operator: In
        values: {{- toYaml . | nindent 10 }}
      {{- end }}
  {{- with .objectSelector }}
  objectSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .matchConditions }}
  matchConditions: {{- toYaml . | nindent 4 }}
  {{- end }}
  failurePolicy: {{ ternary "Fail" "Ignore" $webhook.failClosed }}
  timeoutSeconds: {{ $webhook.timeoutSeconds }}
  # Reviews change nothing anywhere, so --dry-run=server shows what would be stored.
  sideEffects: None
  matchPolicy: Equivalent
  admissionReviewVersions: [v1]
  {{- if $.mutating }}
  # Asked again when a later webhook has changed the object.
  reinvocationPolicy: IfNeeded
  {{- end }}
{{- end }}
{{- end }}
