import { parse } from 'yaml';
import type { JsonObject } from '../json/json.ts';
import { chartValues } from '../manifests/chart-values.ts';
import { manifests } from '../manifests/manifests.ts';
import { OWN_CONFIGURATION } from '../page/chain-view.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

/** Where the API server finds podgraft. */
export interface OwnAddress {
  readonly url: string;
  /** Base64 of PEM. */
  readonly caBundle: string | undefined;
}

/** Podgraft's webhook configurations, as `podgraft manifests` prints them. */
export function ownConfigurations(pipeline: Pipeline, { url, caBundle }: OwnAddress): JsonObject[] {
  const settings = {
    name: OWN_CONFIGURATION,
    namespace: OWN_CONFIGURATION,
    replicas: 1,
    timeoutSeconds: 5,
    // Without an injector that judges the final object, the check would find nothing new.
    validate: pipeline.stages.some(({ injector }) => injector.validate !== undefined),
    tls: { mode: 'url', url, caBundle },
  } as const;
  // Without the objects of the cluster: a text of the page may contain more of them, for other kinds.
  const values = chartValues(pipeline, { config: '', modules: [] });
  return manifests(settings, values).map((text) => parse(text) as JsonObject);
}
