import {
  BOOL,
  type Budget,
  CelCompileError,
  CelError,
  compile,
  DYN,
  kubernetesEnvironment,
  LazyVariables,
  Optional,
  type Program,
  type Type,
  toJson,
  variableType,
} from '../../cel/index.ts';
import { DeferredBindings, isVariableName, messagesElsewhere, type ObjectTypes } from '../../policy/index.ts';
import {
  asJson,
  builtin,
  type ClusterView,
  type ConfigIssue,
  type Context,
  type Evaluator,
  expressionResolver,
  type Json,
  type JsonObject,
  type OverlayExpression,
  overlayExpressions,
  PodgraftError,
  type Request,
} from '../../sdk/index.ts';
import { isSurelyValid, type Place, placeAt } from './surely-valid.ts';

export interface ExpressionSource {
  readonly overlay: JsonObject;
  readonly variables: Readonly<Record<string, string>>;
  /** Whether there is a `params` object. */
  readonly hasParams: boolean;
}

/** The compiled expressions of an overlay. */
export interface Expressions {
  /** Resolves the overlay for one object; an error if an expression fails. `params` is the object that the settings name. */
  resolve(object: JsonObject, context: EvaluationContext, params?: JsonObject): Resolved | PodgraftError;
}

type EvaluationContext = Pick<Context, 'request' | 'cluster'>;

export interface Resolved {
  readonly overlay: JsonObject;
  /** Whether an expression returned a value that may be invalid. */
  readonly needsCheck: boolean;
  /** Whether an expression returned a map or a list that the object does not have in that place. */
  readonly hasNewParts: boolean;
}

/** The cost limit for the expressions of one overlay on one object, as for a mutation of a policy. */
const BUDGET = 10_000_000;

/** The types of `object` and `item`, which are dyn if unknown, and of the places of expressions. */
export interface KnownTypes extends Partial<ObjectTypes> {
  /** Why no value of this type fits the place of an expression; undefined if one may. */
  mismatch?(use: OverlayExpression, type: Type): string | undefined;
}

/** Compiles all expressions. `report` receives all their problems, with paths below `with:`. */
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
      for (const message of messagesElsewhere(error)) report({ path, message });
      return undefined;
    }
  };

  const variablePrograms = new Map<string, Program>();
  for (const [name, expression] of Object.entries(variables)) {
    if (!isVariableName(name))
      report({ path: ['variables', name], message: 'must be a valid CEL identifier' });
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
    if (program === undefined) continue;
    programs.set(use.expression, program);
    const message = use.isCondition ? undefined : known.mismatch?.(use, program.type);
    if (message !== undefined) report({ path: ['overlay', ...use.path], message });
  }

  const resolve = expressionResolver(
    overlay,
    (expression, keys): PlacedProgram => ({
      program: programs.get(expression) as Program,
      place: placeAt(keys),
    }),
  );
  return {
    resolve(object, context, params) {
      const bindings = bindingsFor(object, context, hasParams ? (params ?? null) : undefined);
      const evaluator = new ObjectEvaluator(bindings, variablePrograms);
      try {
        const resolved = resolve(object, evaluator);
        return resolved === undefined
          ? NOTHING
          : resolvedTo(resolved, evaluator.newValues, context.request.kind);
      } catch (error) {
        if (!(error instanceof CelError)) throw error;
        const message = `expression '${evaluator.expression}' resulted in error: ${error.message}`;
        return new PodgraftError('EXPRESSION_FAILED', message);
      }
    },
  };
}

const NOTHING: Resolved = { overlay: {}, needsCheck: false, hasNewParts: false };

function resolvedTo(overlay: JsonObject, values: readonly NewValue[], kind: Request['kind']): Resolved {
  let needsCheck = false;
  let hasNewParts = false;
  for (const { value, place } of values) {
    needsCheck ||= !isSurelyValid(value, place, kind);
    hasNewParts ||= typeof value === 'object';
  }
  return { overlay, needsCheck, hasNewParts };
}

interface PlacedProgram {
  readonly program: Program;
  readonly place: Place;
}

/** The value of an expression, if the object does not have it in its place. */
interface NewValue {
  readonly value: Json;
  readonly place: Place;
}

/** Evaluates the expressions of one overlay for one object. */
class ObjectEvaluator implements Evaluator<PlacedProgram> {
  readonly newValues: NewValue[] = [];
  /** The one that is evaluated. */
  expression = '';
  private readonly bindings: DeferredBindings;
  private readonly budget: Budget = { remaining: BUDGET };

  constructor(bindings: DeferredBindings, variables: ReadonlyMap<string, Program>) {
    this.bindings = bindings;
    if (variables.size > 0) bindings.variables = new LazyVariables(variables, bindings, this.budget);
  }

  holds({ program }: PlacedProgram, item: Json | undefined): boolean {
    return this.evaluate(program, item) === true;
  }

  value(
    { program, place }: PlacedProgram,
    item: Json | undefined,
    found: Json | undefined,
  ): Json | undefined {
    const value = this.evaluate(program, item);
    if (value !== undefined && value !== found) this.newValues.push({ value, place });
    return value;
  }

  /** Null and an empty optional mean no value. */
  private evaluate(program: Program, item: Json | undefined): Json | undefined {
    this.expression = program.expression;
    this.bindings.item = item;
    const value = program.evaluate(this.bindings, this.budget);
    if (value === null || (value instanceof Optional && value.value === undefined)) return undefined;
    return toJson(value) as Json;
  }
}

function bindingsFor(
  object: JsonObject,
  { request, cluster }: EvaluationContext,
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
