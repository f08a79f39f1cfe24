import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTemplate } from '../../gotemplate/template.ts';
import type { JsonObject } from '../../json/json.ts';
import { renderedDocument } from './rendered-documents.ts';
import { specializedTemplate } from './specialized-templates.ts';
import type { TemplateData } from './template-data.ts';
import { templateFunctions } from './template-functions.ts';

const functions = templateFunctions({ SITE: 'here' });
const parse = (text: string) => parseTemplate('t', text, { functions });

function data(pod: JsonObject, more: Partial<TemplateData> = {}): TemplateData {
  return {
    pod,
    owner: { apiVersion: 'v1', kind: 'Pod', name: 'web' },
    namespace: 'shop',
    proxyConfig: {},
    meshConfig: {},
    values: {},
    revision: 'default',
    nativeSidecars: true,
    proxyImage: 'p',
    proxyInitImage: 'i',
    proxyUid: 1337,
    proxyGid: 1337,
    compliancePolicy: '',
    ...more,
  };
}

const pod = (labels: JsonObject, ports: readonly number[], name = 'a'): JsonObject => ({
  metadata: { name, labels },
  spec: {
    containers: [{ name: 'web', image: name, ports: ports.map((containerPort) => ({ containerPort })) }],
  },
});

describe('renderedDocument', () => {
  const template = parse(
    '{app: {{ index .ObjectMeta.Labels "app" }}, ports: [{{ range .Spec.Containers }}{{ range .Ports }}{{ .ContainerPort }},{{ end }}{{ end }}]}',
  );

  test('is the very same for Pods that differ only in what the template does not read', () => {
    const first = renderedDocument(template, data(pod({ app: 'x' }, [80])));
    expect(first).toEqual({ app: 'x', ports: [80] });
    expect(renderedDocument(template, data(pod({ app: 'x' }, [80], 'other')))).toBe(first);
  });

  test.each([
    ['a label', pod({ app: 'z' }, [80]), { app: 'z', ports: [80] }],
    ['a port', pod({ app: 'x' }, [81]), { app: 'x', ports: [81] }],
    ['the number of ports', pod({ app: 'x' }, [80, 81]), { app: 'x', ports: [80, 81] }],
    ['no containers', { metadata: { labels: { app: 'x' } } }, { app: 'x', ports: [] }],
  ])('is another where %s differs', (_, other, expected) => {
    renderedDocument(template, data(pod({ app: 'x' }, [80])));
    expect(renderedDocument(template, data(other as JsonObject))).toEqual(expected);
  });

  test('is another for another owner, namespace or configuration', () => {
    const wide = parse(
      '{a: "{{ .DeploymentMeta.Namespace }}/{{ .DeploymentMeta.Name }} {{ .ProxyConfig.Concurrency.GetValue }} {{ .Values.v }}"}',
    );
    const render = (more: Partial<TemplateData>) =>
      renderedDocument(wide, data(pod({}, []), { values: { v: 1 }, ...more })).a;
    expect(render({})).toBe('shop/web 0 1');
    expect(render({ namespace: 'b' })).toBe('b/web 0 1');
    expect(render({ owner: { apiVersion: 'v1', kind: 'Pod', name: 'c' } })).toBe('shop/c 0 1');
    expect(render({ proxyConfig: { concurrency: 2 } })).toBe('shop/web 2 1');
    expect(render({ values: { v: 2 } })).toBe('shop/web 0 2');
  });
});

describe('template functions', () => {
  const run = (text: string, found: JsonObject = pod({}, [])) =>
    renderedDocument(parse(`{a: '${text}'}`), data(found)).a;

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
  ])('%s gives %s', (text, expected) => {
    expect(run(text, pod({}, [80, 81]))).toBe(expected);
  });
});

test('templates can look into volumes, tolerations, DNS and the resources of the Pod by the names that Go gives them', () => {
  const found = data({
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
  expect(renderedDocument(parse(text), found)).toEqual({
    secrets: ['tls'],
    toleration: 'gpu',
    dns: '10.0.0.10',
    resources: { limits: { cpu: '1' } },
  });
});

test('templates render to the same whether many like the Pod came before, or none', () => {
  const text = `
{{- define "limits" }}{{ if isset .ObjectMeta.Annotations "a/limit" }}{{ index .ObjectMeta.Annotations "a/limit" | quote }}{{ else }}{{ .Values.limit }}{{ end }}{{ end }}
{{- $mode := annotation .ObjectMeta "a/mode" .ProxyConfig.InterceptionMode }}
mode: {{ $mode }}
{{- if eq $mode "TPROXY" }}
special: {{ .DeploymentMeta.Name }}
{{- else if .Values.on }}
ordinary: {{ index .ObjectMeta.Labels "app" | default .Values.app | quote }}
{{- end }}
limit: {{ template "limits" . }}
metadata:
  annotations: {
    {{ with index .ObjectMeta.Annotations "a/note" }}note: "{{ . }}", {{ end }}rev: {{ .Revision }},
  }
env:
{{- range $key, $value := .Values.env }}
- name: {{ $key }}
  value: "{{ $value }} {{ $.ProxyImage }}"
{{- end }}
{{- range .Spec.Containers }}
- name: {{ .Name }}
{{- end }}
`;
  const common = {
    proxyConfig: {},
    meshConfig: {},
    values: { on: true, limit: 5, app: 'none', env: { A: 'x', B: 'y' } },
  };
  const some = (values: readonly string[]) =>
    fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
  const annotations = fc.record({
    'a/mode': some(['TPROXY', 'NONE']),
    'a/limit': some(['1']),
    'a/note': some(['n']),
    'a/other': some(['x', 'y', 'z']),
  });
  const said = (texts: Record<string, string | undefined>) =>
    Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)) as JsonObject;
  const template = parse(text);
  fc.assert(
    fc.property(annotations, some(['shop', 'web']), fc.nat(), fc.nat(3), (given, app, name, containers) => {
      const of = data(
        {
          metadata: { annotations: said(given), labels: said({ app }) },
          spec: { containers: Array.from({ length: containers }, (_, at) => ({ name: `c${at}` })) },
        },
        { ...common, owner: { apiVersion: 'v1', kind: 'Pod', name: `pod-${name}` } },
      );
      expect(renderedDocument(template, of)).toEqual(renderedDocument(parse(text), of));
    }),
    { numRuns: 1_000 },
  );
  // Each of the twelve came often enough by then.
  expect(specializedTemplate(template, data({ metadata: {} }, common))).not.toBe(template);
});
