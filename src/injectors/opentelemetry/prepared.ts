import type { JsonObject } from '../../json/json.ts';
import { stable } from '../../json/stable.ts';
import type { Container, DeepReadonly } from '../../sdk/index.ts';
import { type Memory, newMemory, oncePer } from '../../sdk/memory.ts';
import type { NamedVolume } from './agent-volume.ts';
import type { Env } from './env-plan.ts';
import type { InstrumentationSpec } from './instrumentation.ts';
import type { Attributes } from './resource-attributes.ts';

/** What follows from an Instrumentation alone, or was made from it for other Pods. */
export interface Prepared {
  readonly endpoint: Env | undefined;
  readonly propagators: Env | undefined;
  readonly sampler: readonly Env[];
  readonly attributes: Memory<Attributes>;
  /** The last one of each name: Pods differ little in what they need of it. */
  readonly initContainers: Map<string, MadeInitContainer>;
  readonly volumes: Memory<NamedVolume>;
}

export interface MadeInitContainer {
  /** What it was made for. */
  readonly causes: JsonObject;
  readonly container: DeepReadonly<Container>;
}

export const preparedFor = oncePer((spec: InstrumentationSpec): Prepared => {
  const { exporter, propagators } = spec;
  const { type, argument } = spec.sampler;
  const sampler: Env[] = [];
  if (type !== undefined) sampler.push({ name: 'OTEL_TRACES_SAMPLER', value: type });
  if (type !== undefined && argument) {
    sampler.push({ name: 'OTEL_TRACES_SAMPLER_ARG', value: argument });
  }
  return {
    endpoint: exporter.endpoint
      ? stable({ name: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: exporter.endpoint })
      : undefined,
    propagators:
      propagators.length === 0
        ? undefined
        : stable({ name: 'OTEL_PROPAGATORS', value: propagators.join(',') }),
    sampler: stable(sampler),
    attributes: newMemory<Attributes>(),
    initContainers: new Map<string, MadeInitContainer>(),
    volumes: newMemory<NamedVolume>(),
  };
});
