import { notFound } from '../../policy/status.ts';
import type { Plugin } from './plugin.ts';

/** Rejects creates in a namespace that does not exist. */
export const namespaceLifecycle: Plugin = {
  name: 'NamespaceLifecycle',
  handles: ({ operation, namespace, resource }) =>
    operation === 'CREATE' &&
    namespace !== '' &&
    !(resource.group === '' && resource.resource === 'namespaces') &&
    !resource.resource.endsWith('accessreviews'),
  mutate: (request, { cluster }) =>
    cluster.namespaceLabels(request.namespace) === undefined
      ? { status: notFound('namespaces', '', request.namespace) }
      : request.object,
};
