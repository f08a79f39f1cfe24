import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import { member } from '../json/member.ts';
import { type Pointer, parsePointer } from '../json/pointer.ts';

/** A path as people read it: `spec.containers[app].env[HOME]`, `metadata.annotations[example.com/team]`. */
export function readablePath(document: Json, path: Pointer): string {
  let node: Json | undefined = document;
  let text = '';
  for (const segment of parsePointer(path)) {
    const holder: Json | undefined = node;
    if (isJsonArray(holder)) {
      node = holder[segment === '-' ? holder.length - 1 : Number(segment)];
      text += `[${labelOf(node) ?? segment}]`;
      continue;
    }
    node = isJsonObject(holder) ? member(holder, segment) : undefined;
    if (!/^\w+$/.test(segment)) text += `[${segment}]`;
    else text += text === '' ? segment : `.${segment}`;
  }
  return text;
}

/** Fields by which people know the items of Kubernetes' lists. */
const LABELS = ['name', 'mountPath', 'containerPort', 'key', 'topologyKey', 'type'];

function labelOf(item: Json | undefined): string | undefined {
  if (!isJsonObject(item)) return undefined;
  const found = LABELS.map((key) => member(item, key)).find((value) => value !== undefined);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
}
