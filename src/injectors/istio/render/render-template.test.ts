import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../sdk/index.ts';
import { podTemplate } from './pod-template.ts';
import { renderTemplate } from './render-template.ts';
import { dataFor, podWith, templateOf } from './template-data.fixture.ts';
import type { TemplateData } from './template-data.ts';

describe('renderTemplate', () => {
  const template = templateOf(
    '{app: {{ index .ObjectMeta.Labels "app" }}, ports: [{{ range .Spec.Containers }}{{ range .Ports }}{{ .ContainerPort }},{{ end }}{{ end }}]}',
  );

  test('returns the same document for Pods that differ only in values that the template does not read', () => {
    const first = renderTemplate(template, dataFor(podWith({ app: 'x' }, [80])));
    expect(first).toEqual({ app: 'x', ports: [80] });
    expect(renderTemplate(template, dataFor(podWith({ app: 'x' }, [80], 'other')))).toBe(first);
  });

  test.each([
    ['a label', podWith({ app: 'z' }, [80]), { app: 'z', ports: [80] }],
    ['a port', podWith({ app: 'x' }, [81]), { app: 'x', ports: [81] }],
    ['the number of ports', podWith({ app: 'x' }, [80, 81]), { app: 'x', ports: [80, 81] }],
    ['its containers', { metadata: { labels: { app: 'x' } } }, { app: 'x', ports: [] }],
  ])('renders again if the Pod differs in %s', (_, other, expected) => {
    renderTemplate(template, dataFor(podWith({ app: 'x' }, [80])));
    expect(renderTemplate(template, dataFor(other as JsonObject))).toEqual(expected);
  });

  test('does not hold a large Pod', () => {
    const large = () => dataFor(podWith({ app: 'x' }, [80], 'n'.repeat(40_000)));
    const first = renderTemplate(template, large());
    expect(renderTemplate(template, large())).toEqual(first);
    const fresh = templateOf('{app: {{ index .ObjectMeta.Labels "app" }}}');
    expect(renderTemplate(fresh, large())).not.toBe(renderTemplate(fresh, large()));
  });

  test('renders again for another owner, namespace or configuration', () => {
    const wide = templateOf(
      '{a: "{{ .DeploymentMeta.Namespace }}/{{ .DeploymentMeta.Name }} {{ .ProxyConfig.Concurrency.GetValue }} {{ .Values.v }}"}',
    );
    const render = (more: Partial<TemplateData>) =>
      renderTemplate(wide, dataFor(podWith({}, []), { values: { v: 1 }, ...more })).a;
    expect(render({})).toBe('shop/web 0 1');
    expect(render({ namespace: 'b' })).toBe('b/web 0 1');
    expect(render({ owner: { apiVersion: 'v1', kind: 'Pod', name: 'c' } })).toBe('shop/c 0 1');
    expect(render({ proxyConfig: { concurrency: 2 } })).toBe('shop/web 2 1');
    expect(render({ values: { v: 2 } })).toBe('shop/web 0 2');
  });
});

test('the variant for ordinary Pods renders the same, and other Pods do not use it', () => {
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
  const general = templateOf(text);
  const sample = dataFor({ metadata: {}, spec: { containers: [{ name: 'app' }] } }, common);
  const prepared = podTemplate(general.template, sample);
  expect([...(prepared.ordinary?.absent ?? [])].sort()).toEqual(['a/limit', 'a/note']);
  const some = (values: readonly string[]) =>
    fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
  const annotations = fc.record({
    'a/mode': some(['TPROXY', 'NONE']),
    'a/limit': some(['1']),
    'a/note': some(['n']),
    'a/other': some(['x', 'y', 'z']),
    rev: some(['old']),
  });
  const withoutUndefined = (texts: Record<string, string | undefined>) =>
    Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)) as JsonObject;
  const proxyConfigs = fc.constantFrom(common.proxyConfig, { interceptionMode: 'TPROXY' });
  fc.assert(
    fc.property(
      annotations,
      some(['shop', 'web']),
      fc.nat(),
      fc.nat(3),
      proxyConfigs,
      (given, app, name, containers, proxyConfig) => {
        const pod = {
          metadata: { annotations: withoutUndefined(given), labels: withoutUndefined({ app }) },
          spec: { containers: Array.from({ length: containers }, (_, index) => ({ name: `c${index}` })) },
        };
        const owner = { apiVersion: 'v1', kind: 'Pod', name: `pod-${name}` };
        const data = dataFor(pod, { ...common, owner, proxyConfig });
        expect(renderTemplate(prepared, data)).toEqual(renderTemplate(templateOf(text), data));
      },
    ),
    { numRuns: 1_000 },
  );
});
