import { resourceRows } from '../../kube/generated/resources.ts';

const groups = new Set(resourceRows.map(([, group]) => group));
const resources = new Map(
  resourceRows.map(([, group, version, resource, namespaced]) => [
    `${group}/${resource}`,
    { version, namespaced },
  ]),
);

/** Whether Kubernetes itself defines resources in the group; `*` counts. */
export function isBuiltinGroup(group: string): boolean {
  return group === '*' || groups.has(group);
}

/** The version that Kubernetes serves, and the scope; undefined for custom resources. */
export function builtinResource(group: string, resource: string) {
  return resources.get(`${group}/${resource}`);
}
