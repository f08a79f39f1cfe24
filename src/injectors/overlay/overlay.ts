import * as v from 'valibot';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { stable } from '../../json/stable.ts';
import { configFrom } from '../../sdk/config.ts';
import { defineInjector } from '../../sdk/injector.ts';
import { checkOverlay } from './check-overlay.ts';
import { expand, openParts } from './expand.ts';

export const overlay = defineInjector({
  name: 'overlay',
  summary: 'Grafts an overlay written as YAML onto any kind of object',
  idempotent: ({ overlay: { overlay: written, open } }) => !mayContradictItself(written, open.size > 0),
  wishes: ({ overlay: { overlay: written } }) => written,
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
        v.transform((overlay) => ({ overlay: stable(overlay), open: openParts(overlay) })),
      ),
    }),
  ),
  inject(object: unknown, { config }) {
    const { overlay: written, open } = config.overlay;
    return { overlay: expand(written, object as JsonObject, open) };
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
