import type { Request } from './request.ts';
import type { Webhook } from './webhook.ts';

const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;

/** The requests that rules name, one for each resource and operation, with Pods for those that match everything. */
export function requestsOf(webhooks: readonly Webhook[]): Request[] {
  const found = new Map<string, Request>();
  for (const { rules } of webhooks) {
    for (const { groups, resources, operations } of rules) {
      const isWide = groups.includes('*') || resources.some((resource) => resource.startsWith('*'));
      const pairs = isWide
        ? [{ group: '', resource: 'pods' }]
        : groups.flatMap((group) =>
            resources.map((resource) => ({ group, resource: resource.replace(/\/\*$/, '') })),
          );
      for (const pair of pairs)
        for (const operation of OPERATIONS)
          if (operations.includes(operation) || operations.includes('*'))
            found.set(`${pair.group}/${pair.resource}/${operation}`, { ...pair, operation });
    }
  }
  return [...found.values()];
}

/** `pods` or `deployments.apps`. */
export function resourceText({ group, resource }: Pick<Request, 'group' | 'resource'>): string {
  if (group === '') return resource;
  const [main = '', sub] = resource.split('/');
  return `${main}.${group}${sub === undefined ? '' : `/${sub}`}`;
}
