import {
  type DeepReadonly,
  type KubeObject,
  type LabelSelector,
  labelsOf,
  matchesSelector,
  type Pod,
  type Selection,
} from '../../../sdk/index.ts';
import { INJECT, INJECTION_LABEL, REVISION_LABEL, SYSTEM_NAMESPACES } from '../names.ts';

export interface SelectionOptions {
  readonly revision: string;
  readonly tags?: readonly string[];
  /** `sidecarInjectorWebhook.enableNamespacesByDefault` of Istio's values. */
  readonly enableNamespacesByDefault?: boolean;
}

/** Why none of Istio's webhook configurations selects the Pod; undefined if one does. */
export function selectionMismatch(
  pod: DeepReadonly<Pod>,
  namespaceName: string,
  namespace: KubeObject | undefined,
  options: SelectionOptions,
): string | undefined {
  const labels = {
    'kubernetes.io/metadata.name': namespaceName,
    ...(namespace === undefined ? {} : labelsOf(namespace)),
  };
  const isSelected = webhookSelectors(options).some(
    ({ namespaceSelector, objectSelector }) =>
      matchesSelector(namespaceSelector, labels) && matchesSelector(objectSelector, labelsOf(pod)),
  );
  if (isSelected) return undefined;
  return `the labels of namespace "${namespaceName}" and of the Pod do not select revision "${options.revision}"`;
}

/**
 * The selectors of Istio's own webhook configurations, for one revision and its tags. The names differ from Istio's, and the
 * configuration must not have the label `istio.io/rev`: istiod overwrites the caBundle of webhooks that it considers its own.
 */
export function webhookSelectors(options: SelectionOptions): readonly Selection[] {
  const { revision, tags = [], enableNamespacesByDefault = false } = options;
  const own = revision === '' ? 'default' : revision;
  const served = [own, ...tags.filter((tag) => tag !== own)];
  const byRevision = served.flatMap((each) => [
    {
      name: `rev-namespace-${each}`,
      namespaceSelector: all(inList(REVISION_LABEL, each), lacks(INJECTION_LABEL)),
      objectSelector: all(notIn(INJECT, 'false')),
    },
    {
      name: `rev-object-${each}`,
      namespaceSelector: all(lacks(REVISION_LABEL), lacks(INJECTION_LABEL)),
      objectSelector: all(notIn(INJECT, 'false'), inList(REVISION_LABEL, each)),
    },
  ]);
  if (!served.includes('default')) return byRevision;
  const byDefault = [
    {
      name: 'namespace',
      namespaceSelector: all(inList(INJECTION_LABEL, 'enabled')),
      objectSelector: all(notIn(INJECT, 'false')),
    },
    {
      name: 'object',
      namespaceSelector: all(lacks(INJECTION_LABEL), lacks(REVISION_LABEL)),
      objectSelector: all(inList(INJECT, 'true'), lacks(REVISION_LABEL)),
    },
  ];
  if (!enableNamespacesByDefault) return [...byRevision, ...byDefault];
  const auto = {
    name: 'auto',
    namespaceSelector: all(
      lacks(INJECTION_LABEL),
      lacks(REVISION_LABEL),
      notIn('kubernetes.io/metadata.name', ...SYSTEM_NAMESPACES),
    ),
    objectSelector: all(lacks(INJECT), lacks(REVISION_LABEL)),
  };
  return [...byRevision, ...byDefault, auto];
}

type Requirement = NonNullable<LabelSelector['matchExpressions']>[number];

function all(...matchExpressions: Requirement[]): LabelSelector {
  return { matchExpressions };
}

function inList(key: string, ...values: string[]): Requirement {
  return { key, operator: 'In', values };
}

function notIn(key: string, ...values: string[]): Requirement {
  return { key, operator: 'NotIn', values };
}

function lacks(key: string): Requirement {
  return { key, operator: 'DoesNotExist' };
}
