import * as v from 'valibot';
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { stable } from '../../json/stable.ts';
import { configFrom } from '../../sdk/config.ts';
import { defineInjector } from '../../sdk/injector.ts';
import { keyOf, newMemory } from '../../sdk/memory.ts';
import { checkKinds } from './check-kinds.ts';
import { checkOverlay } from './check-overlay.ts';
import { causesOf, expand, openParts } from './expand.ts';

export const overlay = defineInjector({
  name: 'overlay',
  summary: 'Grafts an overlay written as YAML onto any kind of object',
  idempotent: ({ overlay: { overlay: written, open } }) => !mayContradictItself(written, open.size > 0),
  wishes: ({ overlay: { overlay: written } }) => written,
  check: ({ overlay: { overlay: written } }, kinds) =>
    checkKinds(written, kinds).map(({ path, message }) => ({ path: ['overlay', ...path], message })),
  match: { kinds: ['*'], operations: ['*'] },
  config: configFrom(
    v.strictObject({
      overlay: v.pipe(
        v.custom<JsonObject>(isJsonObject, 'expected a map'),
        v.rawCheck(({ dataset, addIssue }) => {
          if (!dataset.typed) return;
          for (const { path, message } of checkOverlay(dataset.value)) {
            addIssue({ message, path: toIssuePath(dataset.value, path) });
          }
        }),
        v.transform((overlay) => ({
          overlay: stable(overlay),
          open: openParts(overlay),
          expanded: newMemory<Json>(),
        })),
      ),
    }),
  ),
  inject(object: unknown, { config }) {
    const { overlay: written, open, expanded } = config.overlay;
    const found = object as JsonObject;
    if (!open.has(written)) return { overlay: written };
    // Nearly always it is the names of containers that count, which are the same for all Pods of a workload.
    const key = keyOf(causesOf(written, found, open));
    return { overlay: expanded(key, () => stable(expand(written, found, open) ?? {})) };
  },
});

/** Wishes that only add settle at once; one that removes, replaces or holds its place may be undone by another in the same overlay. */
function mayContradictItself(overlay: JsonObject, hasPatterns: boolean): boolean {
  return (hasPatterns ? /"\$absent":|"\$force":|"keep":true/ : /"\$absent":[^t]|"keep":true/).test(
    JSON.stringify(overlay),
  );
}

type IssuePath = [v.IssuePathItem, ...v.IssuePathItem[]];

/** Valibot wants each step of a path with the value it leads to. */
function toIssuePath(root: unknown, path: readonly string[]): IssuePath {
  let input = root;
  return path.map((key): v.IssuePathItem => {
    const item = {
      type: 'unknown',
      origin: 'value',
      input,
      key,
      value: (input as Record<string, unknown>)[key],
    } as const;
    input = item.value;
    return item;
  }) as IssuePath;
}
