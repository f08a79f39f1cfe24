{{/* Name of all objects, or its beginning. */}}
{{- define "podgraft.name" -}}
{{ .Values.fullnameOverride | default .Release.Name }}
{{- end }}

{{- define "podgraft.appName" -}}
{{ .Values.nameOverride | default "podgraft" }}
{{- end }}

{{- define "podgraft.selectorLabels" -}}
app.kubernetes.io/name: {{ include "podgraft.appName" . | toYaml }}
app.kubernetes.io/instance: {{ .Release.Name | toYaml }}
{{- end }}

{{- define "podgraft.labels" -}}
{{ include "podgraft.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{/* Metadata of an object that has the release's name and lives in its namespace. */}}
{{- define "podgraft.metadata" -}}
name: {{ include "podgraft.name" . | toYaml }}
namespace: {{ .Release.Namespace | toYaml }}
labels: {{- include "podgraft.labels" . | nindent 2 }}
{{- end }}

{{- define "podgraft.secretName" -}}
{{ .Values.tls.secretName | default (printf "%s-tls" (include "podgraft.name" .)) }}
{{- end }}

{{- define "podgraft.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/* Subjects of every role binding. */}}
{{- define "podgraft.subjects" -}}
- kind: ServiceAccount
  name: {{ include "podgraft.name" . | toYaml }}
  namespace: {{ .Release.Namespace | toYaml }}
{{- end }}

{{/* Content of the ConfigMap. */}}
{{- define "podgraft.data" -}}
{{- $data := dict "podgraft.yaml" (required "config is empty: run `podgraft manifests --config podgraft.yaml --chart-values > derived.yaml` and pass it with -f derived.yaml" .Values.config) -}}
{{- range .Values.modules }}{{ $_ := set $data .key .text }}{{ end -}}
{{ toYaml $data }}
{{- end }}

{{/* Hash of that content. Templates iterate over a dict in the order of its keys. */}}
{{- define "podgraft.configHash" -}}
{{- $data := dict "podgraft.yaml" .Values.config -}}
{{- range .Values.modules }}{{ $_ := set $data .key .text }}{{ end -}}
{{- $all := "" -}}
{{- range $key, $text := $data }}{{ $all = printf "%s%s\n%s\n" $all $key $text }}{{ end -}}
{{ $all | sha256sum }}
{{- end }}

{{- define "podgraft.configMapName" -}}
{{ include "podgraft.name" . }}-{{ include "podgraft.configHash" . | trunc 10 }}
{{- end }}

{{/* Takes root, name and data. */}}
{{- define "podgraft.configMap" -}}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .name | toYaml }}
  namespace: {{ .root.Release.Namespace | toYaml }}
  labels: {{- include "podgraft.labels" .root | nindent 4 }}
immutable: true
data: {{- .data | nindent 2 }}
{{- end }}

{{/*
Webhooks of a configuration. Takes root, path and mutating. externalUrl is not a value of the chart: only
`podgraft manifests --url` sets it, and renders nothing but the webhook configurations.
*/}}
{{- define "podgraft.webhooks" -}}
{{- $root := .root -}}
{{- $webhook := $root.Values.webhook -}}
{{- $excluded := $root.Values.derived.excludedNamespaces -}}
{{- if not $root.Values.externalUrl }}{{ $excluded = append $excluded $root.Release.Namespace | uniq }}{{ end -}}
{{- range $root.Values.derived.webhooks }}
{{- $expressions := dig "namespaceSelector" "matchExpressions" list . -}}
{{- $key := "kubernetes.io/metadata.name" -}}
{{- with $excluded }}{{ $expressions = append $expressions (dict "key" $key "operator" "NotIn" "values" .) }}{{ end -}}
{{- with $webhook.onlyNamespaces }}{{ $expressions = append $expressions (dict "key" $key "operator" "In" "values" .) }}{{ end }}
- name: {{ .name }}.podgraft.dev
  clientConfig:
    {{- with $root.Values.externalUrl }}
    url: {{ printf "%s%s" . $.path | toYaml }}
    {{- else }}
    service:
      name: {{ include "podgraft.name" $root | toYaml }}
      namespace: {{ $root.Release.Namespace | toYaml }}
      path: {{ $.path }}
      port: 443
    {{- end }}
    {{- if eq $root.Values.tls.mode "secret" }}
    caBundle: {{ required "tls.mode secret needs tls.caBundle" $root.Values.tls.caBundle }}
    {{- end }}
  rules: {{- toYaml .rules | nindent 4 }}
  namespaceSelector:
    {{- with dig "namespaceSelector" "matchLabels" dict . }}
    matchLabels: {{- toYaml . | nindent 6 }}
    {{- end }}
    matchExpressions: {{- toYaml $expressions | nindent 6 }}
  {{- with .objectSelector }}
  objectSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .matchConditions }}
  matchConditions: {{- toYaml . | nindent 4 }}
  {{- end }}
  failurePolicy: {{ ternary "Fail" "Ignore" $webhook.failClosed }}
  timeoutSeconds: {{ $webhook.timeoutSeconds }}
  sideEffects: None
  matchPolicy: Equivalent
  admissionReviewVersions: [v1]
  {{- if $.mutating }}
  reinvocationPolicy: IfNeeded
  {{- end }}
{{- end }}
{{- end }}
