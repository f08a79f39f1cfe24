import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import type { Pointer } from '../../json/pointer.ts';
import { itemsOf, membersOf } from '../../kube/json-parts.ts';
import { asJson } from '../../kube/kube-object.ts';
import { groupOf } from '../../kube/resource.ts';
import { readSelector, type Selector } from './selector.ts';
import type { Source } from './source.ts';
import { stringsOf, textOf } from './text.ts';

/** A webhook of a configuration, with the API server's defaults. */
export interface Webhook {
  readonly source: Source;
  /** Its path in the configuration. */
  readonly path: Pointer;
  readonly isMutating: boolean;
  readonly name: string;
  readonly rules: readonly WebhookRule[];
  readonly failurePolicy: string;
  readonly matchPolicy: string;
  readonly reinvocationPolicy: string;
  /** How long the API server waits at most. */
  readonly timeoutSeconds: number;
  readonly namespaceSelector: Selector;
  readonly objectSelector: Selector;
  readonly matchConditions: readonly MatchCondition[];
  readonly service: ServiceRef | undefined;
  readonly url: string | undefined;
  /** As written, without defaults. */
  readonly spec: JsonObject;
}

export interface WebhookRule {
  readonly path: Pointer;
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  readonly resources: readonly string[];
  readonly operations: readonly string[];
  readonly scope: string;
}

export interface MatchCondition {
  readonly path: Pointer;
  readonly name: string;
  readonly expression: string;
}

export interface ServiceRef {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  readonly path: string;
}

const KINDS = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

/** The webhooks of a configuration; none if the object is not one. */
export function webhooksOf(source: Source): Webhook[] {
  const { object } = source;
  if (!KINDS.includes(object.kind) || groupOf(object.apiVersion) !== 'admissionregistration.k8s.io')
    return [];
  const { webhooks } = asJson(object);
  return itemsOf(webhooks).flatMap((spec, index) =>
    isJsonObject(spec) ? readWebhook(source, spec, `/webhooks/${index}`) : [],
  );
}

function readWebhook(source: Source, spec: JsonObject, path: Pointer): Webhook {
  const { service, url } = membersOf(spec.clientConfig);
  return {
    source,
    path,
    spec,
    isMutating: source.object.kind === KINDS[0],
    name: textOf(spec.name),
    rules: itemsOf(spec.rules).map((rule, index) => readRule(membersOf(rule), `${path}/rules/${index}`)),
    failurePolicy: textOf(spec.failurePolicy, 'Fail'),
    matchPolicy: textOf(spec.matchPolicy, 'Equivalent'),
    reinvocationPolicy: textOf(spec.reinvocationPolicy, 'Never'),
    timeoutSeconds: typeof spec.timeoutSeconds === 'number' ? spec.timeoutSeconds : 10,
    namespaceSelector: readSelector(spec.namespaceSelector),
    objectSelector: readSelector(spec.objectSelector),
    matchConditions: itemsOf(spec.matchConditions).map((condition, index) => ({
      path: `${path}/matchConditions/${index}/expression`,
      name: textOf(membersOf(condition).name),
      expression: textOf(membersOf(condition).expression),
    })),
    service: isJsonObject(service) ? readService(service) : undefined,
    url: typeof url === 'string' ? url : undefined,
  };
}

function readRule(rule: JsonObject, path: Pointer): WebhookRule {
  return {
    path,
    groups: stringsOf(rule.apiGroups),
    versions: stringsOf(rule.apiVersions),
    resources: stringsOf(rule.resources),
    operations: stringsOf(rule.operations),
    scope: textOf(rule.scope, '*'),
  };
}

function readService({ namespace, name, port, path }: { readonly [key: string]: Json }): ServiceRef {
  return {
    namespace: textOf(namespace),
    name: textOf(name),
    port: typeof port === 'number' ? port : 443,
    path: textOf(path),
  };
}

/** `mutating webhook "a.example.com"`, to begin a message. */
export function describe({ isMutating, name }: Webhook): string {
  return `${isMutating ? 'mutating' : 'validating'} webhook "${name}"`;
}

/** Whether requests fail while the webhook cannot be reached. */
export function failsClosed({ failurePolicy }: Webhook): boolean {
  return failurePolicy === 'Fail';
}
