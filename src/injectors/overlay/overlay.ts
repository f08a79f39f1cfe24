import * as v from 'valibot';
import {
  apiVersionOf,
  asJson,
  builtin,
  type ClusterView,
  type ConfigIssue,
  configFrom,
  constantParts,
  containsExpression,
  defaultedFields,
  defineInjector,
  directiveProblems,
  expandOverlay,
  fault,
  fieldProblems,
  isJsonObject,
  type JsonObject,
  type KubeObject,
  kindProblems,
  kindType,
  knownResource,
  needsExpansion,
  type ObjectRef,
  PodgraftError,
  type ReadRef,
  type Request,
  unknownKind,
  withoutExpressions,
} from '../../sdk/index.ts';
import type { ExpressionSource, Expressions } from './expressions.ts';
import { sample } from './sample.ts';

const params = v.strictObject({
  kind: v.union([
    v.pipe(
      v.string(),
      v.check(
        (name) => knownResource(name) !== undefined,
        ({ input }) => unknownKind(input),
      ),
    ),
    v.strictObject({
      group: v.string(),
      version: v.string(),
      kind: v.string(),
      resource: v.string(),
      namespaced: v.boolean(),
    }),
  ]),
  name: v.string(),
  namespace: v.optional(v.string()),
});

type Params = v.InferOutput<typeof params>;

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
  sample,
  match: { kinds: ['*'], operations: ['*'] },
  // Most overlays have no expressions, and need not load the language.
  async prepare(raw) {
    if (hasExpressions(raw)) language ??= await loadLanguage();
  },
  config: configFrom(
    v.pipe(
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
        /** An object of the cluster that expressions see as `params`. */
        params: v.optional(params),
        /** CEL expressions by name, evaluated when they are used. */
        variables: v.optional(v.record(v.string(), v.string()), {}),
        /** For a Kubernetes that is newer than the API description in this version. */
        unknownFields: v.optional(v.picklist(['error', 'warn']), 'error'),
      }),
      v.transform(toConfig),
    ),
  ),
  reads: ({ params: named }) => (named === undefined ? [] : [readOf(named)]),
  needs: (_, { config: { params: named }, request }) => {
    if (named === undefined) return [];
    return [objectRef(paramsIn(named, request.namespace))];
  },
  problems: ({ params: named }, cluster) => {
    if (named === undefined) return [];
    const read = readOf(named);
    // Each namespace has its own.
    if (read.namespaced && read.namespace === undefined) return [];
    return found(read, cluster) === undefined ? [notFound(read)] : [];
  },
  check({ overlay, unknownFields, issues, source }, kinds, definitions) {
    return [
      ...issues,
      ...(language === undefined || issues.length > 0 ? [] : language.typeIssues(source, kinds, definitions)),
      ...kindProblems(overlay, kinds, definitions).map((problem) =>
        issueFor(problem, problem.isUnknownField && unknownFields === 'warn' ? 'warning' : problem.severity),
      ),
      ...defaultedFields(withoutExpressions(overlay), kinds).map((problem) => issueFor(problem, 'warning')),
    ];
  },
  asOverlay: ({ overlay, variables, params: named }) => ({
    overlay,
    variables,
    ...(named !== undefined && { params: objectRef(readOf(named)) }),
  }),
  inject(object: unknown, context) {
    const { config, request, cluster } = context;
    const json = object as JsonObject;
    const { overlay, constant, expressions, params: named } = config;
    if (expressions === undefined) {
      return { overlay: config.isExpandable ? expandOverlay(overlay, json, constant) : overlay };
    }
    const read = named && paramsIn(named, request.namespace);
    const params = read && found(read, cluster);
    if (read !== undefined && params === undefined) return { skip: notFound(read) };
    const resolved = expressions.resolve(json, context, params && asJson(params));
    if (resolved instanceof PodgraftError) return fault(resolved);
    const problem = resolved.needsCheck ? valueProblem(resolved.overlay, request.kind, config) : undefined;
    if (problem !== undefined) return fault(problem);
    const isExpandable = config.isExpandable || resolved.hasNewParts;
    return { overlay: isExpandable ? expandOverlay(resolved.overlay, json, constant) : resolved.overlay };
  },
});

/** The part that needs the CEL engine, once a configuration has needed it. */
let language: Awaited<ReturnType<typeof loadLanguage>> | undefined;

async function loadLanguage() {
  const [{ compileExpressions }, { typeIssues }] = await Promise.all([
    import('./expressions.ts'),
    import('./type-issues.ts'),
  ]);
  return { compileExpressions, typeIssues };
}

/** Whether any text below may be an expression: a cheap check before anything is parsed. */
function hasExpressions(raw: unknown): boolean {
  if (!isJsonObject(raw)) return false;
  const { overlay = null, variables = {} } = raw;
  return Object.keys(variables ?? {}).length > 0 || containsExpression(overlay);
}

interface Settings {
  overlay: JsonObject;
  params?: Params | undefined;
  variables: Record<string, string>;
  unknownFields: 'error' | 'warn';
}

interface OverlayConfig extends Settings {
  readonly source: ExpressionSource;
  readonly expressions: Expressions | undefined;
  readonly issues: readonly ConfigIssue[];
  readonly constant: ReturnType<typeof constantParts>;
  readonly isExpandable: boolean;
}

function toConfig(settings: Settings): OverlayConfig {
  const { overlay, params, variables, unknownFields } = settings;
  const source = { overlay, variables, hasParams: params !== undefined };
  const issues: ConfigIssue[] = [];
  const expressions = hasExpressions(settings) ? compiled(source, issues) : undefined;
  const constant = constantParts(overlay);
  const isExpandable = needsExpansion(overlay);
  return { overlay, params, variables, unknownFields, source, expressions, issues, constant, isExpandable };
}

function compiled(source: ExpressionSource, issues: ConfigIssue[]): Expressions {
  if (language === undefined) throw new TypeError('Call "prepare" before "config"');
  return language.compileExpressions(source, (issue) => issues.push(issue));
}

type ParamsRef = ReadRef & { readonly name: string };

function readOf({ kind, name, namespace }: Params): ParamsRef {
  const ref = typeof kind === 'string' ? builtin(kind) : kind;
  return { ...ref, name, ...(ref.namespaced && namespace !== undefined && { namespace }) };
}

/** Without a namespace it is the one of the object, as for the parameters of policies. */
function paramsIn(named: Params, namespace: string): ParamsRef {
  const read = readOf(named);
  return read.namespaced ? { namespace, ...read } : read;
}

function objectRef({ name, namespace, ...ref }: ParamsRef): ObjectRef {
  return { ref, name, ...(namespace !== undefined && { namespace }) };
}

function found({ name, namespace, ...ref }: ParamsRef, cluster: ClusterView): KubeObject | undefined {
  return cluster.get(ref, namespace, name);
}

function notFound({ kind, name, namespace }: ParamsRef): string {
  return `params: ${kind} "${namespace === undefined ? name : `${namespace}/${name}`}" not found`;
}

/**
 * An expression can return any value, and the API server rejects a patch with one of the wrong type. Constant parts are checked at
 * the start.
 */
function valueProblem(
  resolved: JsonObject,
  kind: Request['kind'],
  { constant, unknownFields }: OverlayConfig,
): PodgraftError | undefined {
  const type = kindType(apiVersionOf(kind), kind.kind);
  const problems = type === undefined ? [] : fieldProblems(resolved, type, [], constant);
  const problem = problems.find(({ isUnknownField }) => !isUnknownField || unknownFields === 'error');
  if (problem === undefined) return undefined;
  return new PodgraftError('EXPRESSION_INVALID', `${problem.path.join('.')}: ${problem.message}`);
}

function issueFor(
  { path, message }: ReturnType<typeof kindProblems>[number],
  severity: 'error' | 'warning' = 'error',
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
