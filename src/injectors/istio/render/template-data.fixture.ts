import { parseTemplate } from '../../../gotemplate/index.ts';
import type { JsonObject } from '../../../sdk/index.ts';
import type { PodTemplate } from './pod-template.ts';
import type { TemplateData } from './template-data.ts';
import { templateFunctions } from './template-functions.ts';

export function templateOf(text: string): PodTemplate {
  return { template: parseTemplate('t', text, { functions: templateFunctions({ SITE: 'here' }) }) };
}

export function dataFor(pod: JsonObject, more: Partial<TemplateData> = {}): TemplateData {
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

export function podWith(labels: JsonObject, ports: readonly number[], name = 'a'): JsonObject {
  const containerPorts = ports.map((containerPort) => ({ containerPort }));
  return {
    metadata: { name, labels },
    spec: { containers: [{ name: 'web', image: name, ports: containerPorts }] },
  };
}
