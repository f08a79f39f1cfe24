import type { JsonObject } from '../../json/json.ts';
import { resourceRows } from '../../kube/generated/resources.ts';
import { apiVersionOf } from '../../kube/resource.ts';
import type { UserInfo } from '../../policy/attributes.ts';
import { type ExpressionRequest, expressionBindings } from '../../policy/bindings.ts';
import { evaluateConditions } from '../../policy/evaluate.ts';
import { webhookConditions } from '../../policy/webhook-conditions.ts';
import type { Request } from './request.ts';
import type { Webhook } from './webhook.ts';

/** Whether a match condition rules out a request for an object of which only the labels are known. */
export function isRuledOut({ spec, matchConditions }: Webhook, request: Request): boolean {
  if (matchConditions.length === 0) return false;
  const { labels } = request;
  // The result is unknown without an object.
  if (labels === undefined) return false;
  const metadata = { name: 'example', labels, annotations: {} };
  const bindings = expressionBindings(contextFor(request, { metadata, spec: { containers: [] } }));
  const result = evaluateConditions(webhookConditions(spec), bindings);
  return result !== true && 'unmet' in result;
}

/** Writers of system objects belong to the control plane. */
const CONTROLLER: UserInfo = { username: 'system:kube-controller-manager', groups: ['system:authenticated'] };

/** A request for an object, as expressions see it. */
export function contextFor(request: Request, content: JsonObject): ExpressionRequest {
  const { group, resource: path, operation, namespace, user = CONTROLLER } = request;
  const [main = '', subresource = ''] = path.split('/');
  const row = resourceRows.find(([, rowGroup, , rowResource]) => rowGroup === group && rowResource === main);
  const [kindName, , version] = row ?? ['', '', 'v1'];
  const kind = { group, version, kind: kindName };
  const resource = { group, version, resource: main };
  const given = { apiVersion: apiVersionOf(kind), kind: kindName, ...content };
  const object = operation === 'DELETE' ? null : given;
  const oldObject = operation === 'UPDATE' || operation === 'DELETE' ? given : null;
  const common = { name: 'example', namespace: namespace?.name ?? '', options: {}, dryRun: false, user };
  return {
    request: { operation, kind, resource, subresource, object, oldObject, ...common },
    kind,
    resource,
    object,
    oldObject,
    namespaceObject: null,
  };
}
