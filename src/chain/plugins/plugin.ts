import type { JsonObject } from '../../json/json.ts';
import type { Attributes } from '../../policy/attributes.ts';
import type { ClusterObjects } from '../../policy/cluster-objects.ts';
import type { Status } from '../outcome.ts';

/** An admission plugin of the API server itself. */
export interface Plugin {
  readonly name: string;
  /** The object itself if nothing changes. */
  mutate?(request: PodRequest, tools: PluginTools): JsonObject | { readonly status: Status };
  validate?(request: Attributes, tools: PluginTools): Status | undefined;
  handles(request: Attributes): boolean;
}

/** A request with an object. */
export type PodRequest = Attributes & { readonly object: JsonObject };

export interface PluginTools {
  readonly cluster: ClusterObjects;
  /** Five characters of a generated name. */
  readonly newSuffix: () => string;
}

export function isPodCreation({ operation, resource, subresource, object }: Attributes): boolean {
  return (
    operation === 'CREATE' &&
    resource.group === '' &&
    resource.resource === 'pods' &&
    subresource === '' &&
    object !== null
  );
}

/** Whether a step of a plugin ended the request. */
export function isStatus(
  value: JsonObject | { readonly status: Status },
): value is { readonly status: Status } {
  return 'status' in value && !('kind' in value);
}
