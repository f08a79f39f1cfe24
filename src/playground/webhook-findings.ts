import type { JsonObject } from '../json/json.ts';
import { parsePointer } from '../json/pointer.ts';
import { itemsOf } from '../kube/json-parts.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { runLint } from '../lint/run-lint.ts';
import type { FindingsOf } from '../page/chain-stops.ts';
import type { FindingView } from '../page/view.ts';

/** What `lint` finds in webhook configurations, by webhook. `objects` are the others of the cluster. */
export function webhookFindings(
  configurations: readonly JsonObject[],
  objects: readonly JsonObject[],
  now: Date,
): FindingsOf {
  const sources = [...configurations, ...objects].map((object) => ({
    object: object as unknown as KubeObject,
  }));
  const { findings } = runLint(sources, { isLive: false, now });
  const found = new Map<string, FindingView[]>();
  for (const { source, path, rule, severity, message } of findings) {
    for (const key of webhooksAt(source.object, path)) {
      found.set(key, [...(found.get(key) ?? []), { rule: rule.id, severity, message }]);
    }
  }
  return (configuration, webhook) => found.get(`${configuration}\n${webhook}`) ?? [];
}

/** The webhook that a path is in; all of the configuration's webhooks if it is outside of them. */
function webhooksAt(object: KubeObject, path: string): string[] {
  if (!object.kind.endsWith('WebhookConfiguration')) return [];
  const [field, index] = parsePointer(path);
  const webhooks = itemsOf(asJson(object).webhooks).map((webhook) => (webhook as JsonObject).name);
  const names = field === 'webhooks' && index !== undefined ? [webhooks[Number(index)]] : webhooks;
  return names.map((name) => `${object.metadata.name ?? ''}\n${String(name)}`);
}
