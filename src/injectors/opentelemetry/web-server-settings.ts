import type { Container, DeepReadonly } from '../../sdk/index.ts';
import type { Env } from './env-plan.ts';
import type { InstrumentationSpec } from './instrumentation.ts';
import { serviceName, serviceNamespace } from './resource-attributes.ts';
import type { Subject } from './subject.ts';
import { INSTANCE_PLACEHOLDER } from './web-server-scripts.ts';

export type ModuleSettings = Readonly<Record<string, string>>;

/** What both servers' modules are told, without the prefix of their names. */
export function moduleSettings(
  app: DeepReadonly<Container>,
  spec: InstrumentationSpec,
  subject: Subject,
): ModuleSettings {
  return {
    Enabled: 'ON',
    OtelExporterEndpoint: spec.exporter.endpoint || 'http://localhost:4317/',
    OtelSpanExporter: 'otlp',
    ResolveBackends: 'ON',
    ServiceInstanceId: INSTANCE_PLACEHOLDER,
    ServiceName: serviceName(app, spec, subject),
    ServiceNamespace: serviceNamespace(subject),
    TraceAsError: 'ON',
  };
}

/** The settings as lines, the Instrumentation's own in place of ours. */
export function settingLines(
  prefix: string,
  settings: ModuleSettings,
  attrs: readonly Env[],
  end: string,
): string[] {
  const lines = new Map(Object.entries(settings).map(([key, value]) => [`${prefix}${key}`, value]));
  for (const { name, value = '' } of attrs) lines.set(name, value);
  return [...lines.keys()].sort().map((key) => `${key} ${lines.get(key)}${end}`);
}
