import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../sdk/index.ts';
import { renderTemplate } from './render-template.ts';
import { dataFor, podWith, templateOf } from './template-data.fixture.ts';

describe('template functions', () => {
  const run = (text: string, pod: JsonObject = podWith({}, [])) =>
    renderTemplate(templateOf(`{a: '${text}'}`), dataFor(pod)).a;

  test.each([
    ['{{ annotation .ObjectMeta "x" .Values.missing }}', '<nil>'],
    ['{{ annotation .ObjectMeta "x" 15020 }}', '15020'],
    ['{{ valueOrDefault "" "b" }}{{ valueOrDefault 0 1 }}', 'b0'],
    ['{{ excludeInboundPort 15020 "22, 80" }}', '22,80,15020'],
    ['{{ excludeInboundPort "0" "22" }}', '22'],
    ['{{ excludeInboundPort "22" "22" }}', '22'],
    ['{{ contains "b" "abc" }} {{ directory "/a/b/c" }} {{ toLower "AB" }}', 'true /a/b/ ab'],
    ['{{ env "SITE" "x" }} {{ env "OTHER" "x" }}', 'here x'],
    ['{{ includeInboundPorts .Spec.Containers }}', '80,81'],
    ['{{ .ObjectMeta.Namespace }}/{{ .ObjectMeta.Name }}', 'shop/a'],
    ['{{ structToJSON (index (index .Spec.Containers 0).Ports 0) }}', '{"containerPort":80}'],
    ['{{ toJSON (strdict "b" "1" "a" "<2>") }}', '{"a":"\\u003c2\\u003e","b":"1"}'],
    ['{{ toJsonMap (strdict "a" "1") (strdict "b" "2") }}', '{"a":"1","b":"2"}'],
    ['{{ (omit (dict "a" 1 "b" 2) "a") }}', 'map[b:2]'],
    ['{{ toJSON (omit (strdict "a" "1" "b" "2") "a") }}', '{"b":"2"}'],
    ['{{ toJSON (mergeMaps (strdict "a" "1" "b" "2") (strdict "a" "")) }}', '{"a":"","b":"2"}'],
    ['{{ omitNil (dict "a" nil "b" (dict "c" nil) "d" (dict) "e" (list nil 1)) }}', 'map[d:map[] e:[1]]'],
    ['{{ fromJSON "{oops" }}{{ fromJSON "null" }}', '{}<no value>'],
    ['{{ .ProxyConfig.InterceptionMode }} {{ .ProxyConfig.InterceptionMode.String }}', 'REDIRECT REDIRECT'],
    ['{{ .ProxyConfig.GetTracing.GetTlsSettings.GetCaCertificates }}', ''],
    ['{{ appendMultusNetwork `[{"name": "b"}]` "n/x" }}', '[{"name": "b"}, {"name": "x", "namespace": "n"}]'],
    ['{{ appendMultusNetwork `[]` "x" }}', '[{"name": "x"}]'],
    ['{{ appendMultusNetwork `[{"namespace":"n","name":"x"}]` "n/x" }}', '[{"namespace":"n","name":"x"}]'],
    ['{{ appendMultusNetwork `[oops]` "x" }}', '[oops]'],
    ['{{ appendMultusNetwork "" "n/x" }}|{{ appendMultusNetwork "a,n/x" "n/x" }}', 'n/x|a,n/x'],
  ])('%s renders %s', (text, expected) => {
    expect(run(text, podWith({}, [80, 81]))).toBe(expected);
  });
});

test("templates call methods of Go's types", () => {
  const data = dataFor(
    {
      metadata: { labels: { app: 'shop' } },
      spec: { containers: [{ name: 'web', resources: { limits: { cpu: '1500m', memory: '1e3' } } }] },
    },
    {
      proxyConfig: { drainDuration: '90s' },
      meshConfig: {
        connectTimeout: '0.500s',
        localityLbSetting: { enabled: true },
        outboundTrafficPolicy: { mode: 'ALLOW_ANY' },
      },
    },
  );
  const text = `label: {{ .ObjectMeta.GetLabels.app }}
{{- with (index .Spec.Containers 0).Resources.Limits }}
cpu: "{{ .Cpu }} {{ .Cpu.MilliValue }} {{ .Cpu.Value }} {{ .Cpu.IsZero }}"
memory: "{{ .Memory }} {{ .Storage.IsZero }}"
{{- end }}
drain: "{{ .ProxyConfig.DrainDuration.AsDuration }} {{ .ProxyConfig.DrainDuration.AsDuration.Seconds }}"
none: "{{ .ProxyConfig.GetTerminationDrainDuration.AsDuration }}"
timeout: "{{ formatDuration .MeshConfig.ConnectTimeout }} {{ .MeshConfig.GetConnectTimeout.GetNanos }}"
locality: {{ .MeshConfig.LocalityLbSetting.Enabled.GetValue }}
policy: {{ .MeshConfig.OutboundTrafficPolicy.Mode }}
`;
  expect(renderTemplate(templateOf(text), data)).toEqual({
    label: 'shop',
    cpu: '1500m 1500 2 false',
    memory: '1e3 true',
    drain: '1m30s 90',
    none: '0s',
    timeout: '500ms 500000000',
    locality: true,
    policy: 'ALLOW_ANY',
  });
});

test('a quantity with an exponent stays one, in what templates read, write as JSON and render', () => {
  const limits = { cpu: '1e3', memory: '1e3' };
  const data = dataFor({ spec: { containers: [{ name: 'web', resources: { limits } }] } });
  const text = `spec:
  containers:
  - name: istio-proxy
    resources: {{ toJson (index .Spec.Containers 0).Resources }}
    env:
    - name: CPU
      value: "{{ (index .Spec.Containers 0).Resources.Limits.Cpu }}"
`;
  expect(renderTemplate(templateOf(text), data)).toEqual({
    spec: {
      containers: [{ name: 'istio-proxy', resources: { limits }, env: [{ name: 'CPU', value: '1e3' }] }],
    },
  });
});

test('templates read volumes, tolerations, DNS and the resources of the Pod by their Go names', () => {
  const data = dataFor({
    spec: {
      volumes: [
        { name: 's', secret: { secretName: 'tls' } },
        { name: 'e', emptyDir: {} },
      ],
      tolerations: [{ key: 'gpu', operator: 'Exists' }],
      dnsConfig: { nameservers: ['10.0.0.10'] },
      resources: { limits: { cpu: '1000m' } },
    },
  });
  const text = `secrets: [{{ range .Spec.Volumes }}{{ with .Secret }}{{ .SecretName }},{{ end }}{{ end }}]
toleration: {{ (index .Spec.Tolerations 0).Key }}
dns: {{ index .Spec.DNSConfig.Nameservers 0 }}
resources: {{ structToJSON .Spec.Resources }}
`;
  expect(renderTemplate(templateOf(text), data)).toEqual({
    secrets: ['tls'],
    toleration: 'gpu',
    dns: '10.0.0.10',
    resources: { limits: { cpu: '1' } },
  });
});
