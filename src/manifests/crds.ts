import { customResourceDefinitions } from '../injectors/opentelemetry/crd.ts';
import { opentelemetry } from '../injectors/opentelemetry/opentelemetry.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { Manifest } from './manifest.ts';

/** Definitions of the custom resources that the configured injectors read. */
export function crds({ stages }: Pipeline): readonly Manifest[] {
  if (!stages.some(({ injector }) => injector === opentelemetry)) return [];
  // Each has apiVersion, kind and a name: they are written out there.
  return customResourceDefinitions().map((object) => ({ object: object as unknown as KubeObject }));
}
