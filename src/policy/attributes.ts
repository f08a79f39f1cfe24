import type { JsonObject } from '../json/json.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** `authentication.k8s.io/v1` UserInfo. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: { readonly [key: string]: readonly string[] };
}

/** What admission knows of a request. Empty strings stand for what is absent. */
export interface Attributes {
  readonly operation: Operation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  /** Empty if the name is to be generated, and for collections. */
  readonly name: string;
  /** For a Namespace, its own name. */
  readonly namespace: string;
  /** Null on DELETE. */
  readonly object: JsonObject | null;
  /** Null on CREATE and CONNECT. */
  readonly oldObject: JsonObject | null;
  readonly options: JsonObject | null;
  readonly dryRun: boolean;
  readonly user: UserInfo;
}

/** `pods "p"`, `deployments.apps "d"`, or `pods` if there is no name: how errors of the API name a request. */
export function describeRequest({ resource, name }: Attributes): string {
  return `${qualified(resource)}${name === '' ? '' : ` "${name}"`}`;
}

/** `pods`, `deployments.apps`. */
export function qualified({
  group,
  resource,
}: {
  readonly group: string;
  readonly resource: string;
}): string {
  return group === '' ? resource : `${resource}.${group}`;
}
