import * as v from 'valibot';
import {
  type ConfigIssue,
  configFrom,
  defaultedFields,
  defineInjector,
  directiveProblems,
  expandOverlay,
  isJsonObject,
  type JsonObject,
  kindProblems,
} from '../../sdk/index.ts';

export const overlay = defineInjector({
  name: 'overlay',
  summary: 'Grafts an overlay written as YAML onto any kind of object',
  starter: `# Existing values are kept. Use $force to replace them.
with:
  overlay:
    spec:
      containers:
        - name: "*" # every container
          resources:
            requests: {cpu: 100m, memory: 128Mi}
`,
  match: { kinds: ['*'], operations: ['*'] },
  config: configFrom(
    v.strictObject({
      overlay: v.pipe(
        v.custom<JsonObject>(isJsonObject, 'expected a map'),
        v.rawCheck(({ dataset, addIssue }) => {
          if (!dataset.typed) return;
          for (const { path, message } of directiveProblems(dataset.value)) {
            addIssue({ message, path: toIssuePath(dataset.value, path) });
          }
        }),
      ),
      /** For a Kubernetes that is newer than the API description in this version. */
      unknownFields: v.optional(v.picklist(['error', 'warn']), 'error'),
    }),
  ),
  check: ({ overlay, unknownFields }, kinds) => [
    ...kindProblems(overlay, kinds).map((problem) =>
      issueFor(problem, problem.isUnknownField && unknownFields === 'warn' ? 'warning' : 'error'),
    ),
    ...defaultedFields(overlay, kinds).map((problem) => issueFor(problem, 'warning')),
  ],
  claims: ({ overlay }) => overlay,
  inject: (object: unknown, { config }) => ({
    overlay: expandOverlay(config.overlay, object as JsonObject),
  }),
});

function issueFor(
  { path, message }: ReturnType<typeof kindProblems>[number],
  severity: 'error' | 'warning',
): ConfigIssue {
  return { severity, path: ['overlay', ...path], message };
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
