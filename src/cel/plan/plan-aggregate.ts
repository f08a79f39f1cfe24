import { CelError } from '../cel-error.ts';
import type { List, MapLiteral, Struct } from '../syntax/ast.ts';
import { MapBuilder } from '../values/maps.ts';
import { Optional } from '../values/optional.ts';
import { Failure, goTypeName, messageText } from '../values/values.ts';
import type { Step } from './frame.ts';
import { constant, type Plan, type PlanContext, stepPlan } from './plan.ts';
import { planStep } from './plan-attribute.ts';
import { ProgramFailure } from './program-failure.ts';

/** Compiles a list, map or object literal. Lists and maps of constants are constants, and cost nothing. */
export function planAggregate(context: PlanContext, expression: List | MapLiteral | Struct): Plan {
  switch (expression.kind) {
    case 'list':
      return planList(context, expression);
    case 'map':
      return planMap(context, expression);
    case 'struct':
      return stepPlan(planStruct(context, expression));
  }
}

const LIST_COST = 10;
const MAP_COST = 30;
const STRUCT_COST = 40;

function planList(context: PlanContext, { elements }: List): Plan {
  const plans = elements.map(({ value }) => context.plan(value));
  const hasOptional = elements.some(({ optional }) => optional);
  const values = constants(plans);
  if (values !== undefined && !hasOptional) return constant(Object.freeze(values));
  const steps = plans.map(planStep);
  const step: Step = (frame) => {
    frame.cost += LIST_COST;
    const list: unknown[] = [];
    for (let i = 0; i < steps.length; i++) {
      const value = steps[i]?.(frame);
      if (value instanceof Failure) return value;
      if (!hasOptional || !elements[i]?.optional) list.push(value);
      else if (!(value instanceof Optional)) return notOptional('list element', value);
      else if (value.value !== undefined) list.push(value.value);
    }
    return list;
  };
  return stepPlan(step);
}

function planMap(context: PlanContext, { entries }: MapLiteral): Plan {
  const keys = entries.map(({ key }) => context.plan(key));
  const values = entries.map(({ value }) => context.plan(value));
  const keySteps = keys.map(planStep);
  const valueSteps = values.map(planStep);
  const step: Step = (frame) => {
    frame.cost += MAP_COST;
    const builder = new MapBuilder();
    for (let i = 0; i < entries.length; i++) {
      const key = keySteps[i]?.(frame);
      if (key instanceof Failure) return key;
      checkKey(key);
      const value = valueSteps[i]?.(frame);
      if (value instanceof Failure) return value;
      if (!entries[i]?.optional) builder.set(key, value);
      else if (!(value instanceof Optional)) return notOptional(`entry '${messageText(key)}'`, value);
      else if (value.value === undefined) builder.delete(key);
      else builder.set(key, value.value);
    }
    return builder.map;
  };
  const keyValues = constants(keys);
  if (keyValues === undefined || constants(values) === undefined || keyValues.some(isUnhashable))
    return stepPlan(step);
  const value = step({ bindings: {}, locals: [], cost: 0, limit: Number.POSITIVE_INFINITY });
  if (value instanceof Failure) throw new ProgramFailure(value.message);
  return constant(value);
}

function planStruct(context: PlanContext, { typeName, fields }: Struct): Step {
  const name = typeName.startsWith('.') ? typeName.slice(1) : typeName;
  const construct =
    context.environment.findStruct(name)?.construct ?? (() => new Failure(`unknown type '${name}'`));
  const steps = fields.map(({ value }) => context.step(value));
  return (frame) => {
    frame.cost += STRUCT_COST;
    const values = new Map<string, unknown>();
    for (const [i, field] of fields.entries()) {
      const value = steps[i]?.(frame);
      if (value instanceof Failure) return value;
      if (!field.optional) values.set(field.name, value);
      else if (!(value instanceof Optional)) return notOptional(`entry '${field.name}'`, value);
      else if (value.value === undefined) values.delete(field.name);
      else values.set(field.name, value.value);
    }
    return construct(values);
  };
}

/** A key of a type that Go cannot hash makes cel-go panic. */
function checkKey(key: unknown): void {
  if (!isUnhashable(key)) return;
  throw new CelError(`internal error: runtime error: hash of unhashable type ${goTypeName(key)}`);
}

function isUnhashable(key: unknown): boolean {
  return typeof key === 'object' && key !== null && UNHASHABLE.has(goTypeName(key));
}

const UNHASHABLE: ReadonlySet<string> = new Set(['types.Bytes', 'cel.Semver', 'cel.Format']);

/** The values of plans that are all constant. */
function constants(plans: readonly Plan[]): unknown[] | undefined {
  const values: unknown[] = [];
  for (const plan of plans) {
    if (plan.kind !== 'constant') return undefined;
    values.push(plan.value);
  }
  return values;
}

function notOptional(what: string, value: unknown): Failure {
  return new Failure(`cannot initialize optional ${what} from non-optional value ${messageText(value)}`);
}
