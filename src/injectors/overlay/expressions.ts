import { CelError } from '../../cel/cel-error.ts';
import { compile } from '../../cel/compile.ts';
import { CelCompileError } from '../../cel/compile-error.ts';
import { kubernetesEnvironment, variableType } from '../../cel/kubernetes-environment.ts';
import { LazyVariables } from '../../cel/lazy-variables.ts';
import type { Bindings } from '../../cel/plan/frame.ts';
import type { Budget, Program } from '../../cel/program.ts';
import { toJson } from '../../cel/to-json.ts';
import { BOOL, DYN, type Type } from '../../cel/types.ts';
import { Optional } from '../../cel/values/optional.ts';
import { DeferredBindings } from '../../policy/bindings.ts';
import {
  asJson,
  builtin,
  type ClusterView,
  type ConfigIssue,
  type Context,
  type Evaluator,
  type Json,
  type JsonObject,
  type OverlayExpression,
  overlayExpressions,
  PodgraftError,
  type Request,
} from '../../sdk/index.ts';

export interface ExpressionSource {
  readonly overlay: JsonObject;
  readonly variables: Readonly<Record<string, string>>;
  /** Whether there is a `params` object. */
  readonly hasParams: boolean;
}

/** The compiled expressions of an overlay. */
export interface Expressions {
  /** Evaluates them for one object; `params` is the object that the settings name. */
  evaluator(
    object: JsonObject,
    context: Pick<Context, 'request' | 'cluster'>,
    params?: JsonObject,
  ): ObjectEvaluator;
}

export interface ObjectEvaluator extends Evaluator {
  /** Whether an expression has given a value that the object does not have in that place. */
  readonly gaveNewValue: boolean;
  /** Whether one of those was a map or a list. */
  readonly gaveParts: boolean;
}

/** What the expressions of one overlay may cost for one object, as for a mutation of a policy. */
const BUDGET = 10_000_000;

/** Types of `object` and `item` that are known: dyn if they are not. */
export interface KnownTypes {
  readonly object?: Type;
  itemOf?(fields: readonly string[]): Type;
  readonly findStruct?: NonNullable<Parameters<typeof kubernetesEnvironment>[0]>['findStruct'];
}

/** Compiles all expressions. `report` gets everything that is wrong with them, with paths below `with:`. */
export function compileExpressions(
  { overlay, variables, hasParams }: ExpressionSource,
  report: (issue: ConfigIssue) => void,
  known: KnownTypes = {},
): Expressions {
  const types: Record<string, Type> = {};
  const environment = (use?: OverlayExpression) =>
    kubernetesEnvironment({
      params: hasParams,
      variables: types,
      types: {
        ...(known.object && { object: known.object }),
        ...(use?.itemOf && { item: known.itemOf?.(use.itemOf) ?? DYN }),
      },
      ...(known.findStruct && { findStruct: known.findStruct }),
    });
  const attempt = (path: readonly string[], make: () => Program): Program | undefined => {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof CelCompileError)) throw error;
      for (const message of compileMessages(error)) report({ path, message });
      return undefined;
    }
  };

  const variablePrograms = new Map<string, Program>();
  for (const [name, expression] of Object.entries(variables)) {
    const program = attempt(['variables', name], () => compile(expression, environment()));
    if (program === undefined) continue;
    variablePrograms.set(name, program);
    types[name] = variableType(program.type);
  }
  const programs = new Map<string, Program>();
  const uses = overlayExpressions(overlay);
  for (const use of uses) {
    const options = use.isCondition ? { resultType: BOOL } : {};
    const program = attempt(['overlay', ...use.path], () =>
      compile(use.expression, environment(use), options),
    );
    if (program !== undefined) programs.set(use.expression, program);
  }

  return {
    evaluator(object, context, params) {
      const budget = { remaining: BUDGET };
      const bindings = bindingsFor(object, context, hasParams ? (params ?? null) : undefined);
      if (variablePrograms.size > 0) {
        bindings.variables = new LazyVariables(variablePrograms, bindings, budget);
      }
      const evaluateFor = (expression: string, item: Json | undefined) => {
        bindings.item = item;
        return evaluate(programs.get(expression) as Program, bindings, budget);
      };
      const evaluator = {
        gaveNewValue: false,
        gaveParts: false,
        holds: (condition: string, item: Json | undefined) => evaluateFor(condition, item) === true,
        value(expression: string, item: Json | undefined, found: Json | undefined) {
          const value = evaluateFor(expression, item);
          if (value === undefined || value === found) return value;
          evaluator.gaveNewValue = true;
          if (typeof value === 'object') evaluator.gaveParts = true;
          return value;
        },
      };
      return evaluator;
    },
  };
}

/** Of a message with a position, the position and the text; of the others, the whole. */
export function compileMessages(error: CelCompileError): readonly string[] {
  if (error.issues.length === 0) return [error.message];
  return error.issues.map(({ line, column, text }) => `${line}:${column}: ${text}`);
}

function bindingsFor(
  object: JsonObject,
  { request, cluster }: Pick<Context, 'request' | 'cluster'>,
  params: JsonObject | null | undefined,
): DeferredBindings {
  const { subResource, userInfo, oldObject, kind, resource } = request;
  const old = oldObject === undefined ? null : asJson(oldObject);
  return new DeferredBindings(object, old, () => ({
    request: { ...request, subresource: subResource, user: userInfo, object, oldObject: old, options: null },
    kind,
    resource,
    object,
    oldObject: old,
    namespaceObject: namespaceOf(request, cluster),
    params,
  }));
}

const NAMESPACE = builtin('Namespace');

/** On a cluster it always exists. In files it may be missing, but its name is known. */
function namespaceOf({ namespace: name, kind }: Request, cluster: ClusterView): JsonObject | null {
  if (name === '' || (kind.kind === 'Namespace' && kind.group === '')) return null;
  const found = cluster.get(NAMESPACE, undefined, name);
  return found === undefined
    ? { metadata: { name, labels: { 'kubernetes.io/metadata.name': name } } }
    : asJson(found);
}

/** Null and an empty optional are no value. */
function evaluate(program: Program, bindings: Bindings, budget: Budget): Json | undefined {
  try {
    const value = program.evaluate(bindings, budget);
    if (value === null || (value instanceof Optional && value.value === undefined)) return undefined;
    return toJson(value) as Json;
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    const message = `expression '${program.expression}' resulted in error: ${error.message}`;
    throw new PodgraftError('EXPRESSION_FAILED', message);
  }
}
