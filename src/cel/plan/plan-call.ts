import { CelError } from '../cel-error.ts';
import type { ResolvedCall } from '../check/checked.ts';
import type { Cost, Implementation } from '../declarations.ts';
import type { Call, Expression } from '../syntax/ast.ts';
import { add, NO_OVERLOAD } from '../values/arithmetic.ts';
import { contains } from '../values/contains.ts';
import { equal } from '../values/equal.ts';
import { Optional } from '../values/optional.ts';
import { costSize } from '../values/size.ts';
import { Failure } from '../values/values.ts';
import type { Step } from './frame.ts';
import { costOf, implementationOf } from './implementation.ts';
import { CANCELLED, constant, isExhausted, type Plan, type PlanContext, stepPlan } from './plan.ts';
import { choice, planStep } from './plan-attribute.ts';
import { ProgramFailure } from './program-failure.ts';

/** Compiles a call of a function, method or operator. */
export function planCall(context: PlanContext, expression: Call): Plan {
  const call = context.checked.calls.get(expression);
  if (call === undefined) throw new Error(`call of "${expression.name}" was not checked`);
  const receiver = call.qualified || expression.target === undefined ? [] : [expression.target];
  const operands = [...receiver, ...expression.args];
  const special = SPECIAL.get(expression.name);
  const planned = special !== undefined && operands.length > 0 ? special(context, operands, call) : undefined;
  if (planned !== undefined) return planned;
  const plans = operands.map((operand) => context.plan(operand));
  const [only] = plans;
  if (CONVERSIONS.has(call.declaration.name) && plans.length === 1 && only?.kind === 'constant') {
    return fold(call, only.value);
  }
  const steps = plans.map(planStep);
  const prepared = prepare(call, plans);
  if (prepared !== undefined) return stepPlan(generalStep(prepared, costOf(call), steps));
  return stepPlan(callStep(call, implementationOf(call), steps));
}

type Special = (
  context: PlanContext,
  operands: readonly Expression[],
  call: ResolvedCall,
) => Plan | undefined;

const SPECIAL: ReadonlyMap<string, Special> = new Map<string, Special>([
  ['_==_', planEquality],
  ['_!=_', planEquality],
  ['_?_:_', planChoice],
  ['_+_', planAddition],
  ['!_', planNot],
  ['@in', planMembership],
  ['or', planOr],
  ['orValue', planOr],
]);

/** Conversions of constants are carried out once. */
const CONVERSIONS: ReadonlySet<string> = new Set(
  'bool bytes double dyn duration int string timestamp type uint'.split(' '),
);

function fold(call: ResolvedCall, argument: unknown): Plan {
  const value = implementationOf(call)(argument);
  if (value instanceof Failure) throw new ProgramFailure(value.message);
  return constant(value);
}

function prepare({ declaration }: ResolvedCall, plans: readonly Plan[]): Implementation | undefined {
  const constants = plans.map((plan) => (plan.kind === 'constant' ? plan.value : undefined));
  try {
    return declaration.prepare?.(...constants);
  } catch (error) {
    throw error instanceof CelError ? new ProgramFailure(error.message) : error;
  }
}

function callStep(call: ResolvedCall, invoke: Implementation, steps: readonly Step[]): Step {
  const cost = costOf(call);
  const [first, second] = steps;
  const { resultCost } = call.declaration;
  const dispatches = call.declaration.call === undefined && call.overloads.length > 1;
  if (dispatches || resultCost !== undefined) return generalStep(invoke, cost, steps, resultCost);
  if (steps.length === 1 && first !== undefined) {
    return (frame) => {
      const a = first(frame);
      frame.cost += cost === undefined ? 1 : cost([a]);
      if (isExhausted(frame)) return CANCELLED;
      return a instanceof Failure ? a : invoke(a);
    };
  }
  if (steps.length === 2 && first !== undefined && second !== undefined) {
    return (frame) => {
      const a = first(frame);
      const b = second(frame);
      frame.cost += cost === undefined ? 1 : cost([a, b]);
      if (isExhausted(frame)) return CANCELLED;
      if (a instanceof Failure) return a;
      return b instanceof Failure ? b : invoke(a, b);
    };
  }
  return generalStep(invoke, cost, steps);
}

/** Evaluates arguments up to the first failure. The call is free if an argument is not evaluated. */
function generalStep(
  invoke: Implementation,
  cost: Cost | undefined,
  steps: readonly Step[],
  resultCost?: (result: unknown) => number,
): Step {
  return (frame) => {
    const args: unknown[] = [];
    let failure: Failure | undefined;
    for (const step of steps) {
      if (failure !== undefined) return failure;
      const value = step(frame);
      if (value instanceof Failure) failure = value;
      args.push(value);
    }
    frame.cost += cost === undefined ? 1 : cost(args);
    if (isExhausted(frame)) return CANCELLED;
    const result = failure ?? invoke(...args);
    if (resultCost !== undefined) frame.cost += resultCost(result);
    return result;
  };
}

function planEquality(
  context: PlanContext,
  [left, right]: readonly Expression[],
  call: ResolvedCall,
): Plan | undefined {
  if (left === undefined || right === undefined) return undefined;
  const [first, second] = [context.step(left), context.step(right)];
  const negated = call.declaration.name === '_!=_';
  return stepPlan((frame) => {
    const a = first(frame);
    const b = second(frame);
    if (typeof a === 'string' && typeof b === 'string') {
      const shorter = a.length < b.length ? a.length : b.length;
      frame.cost += Math.ceil(shorter / 10);
      return (a === b) !== negated;
    }
    if (a instanceof Failure || b instanceof Failure) {
      frame.cost++;
      return a instanceof Failure ? a : b;
    }
    frame.cost += Math.ceil(Math.min(costSize(a), costSize(b)) / 10);
    const same = equal(a, b);
    if (same instanceof Failure) return negated ? true : same;
    return same !== negated;
  });
}

function planChoice(
  context: PlanContext,
  [condition, truthy, falsy]: readonly Expression[],
): Plan | undefined {
  if (condition === undefined || truthy === undefined || falsy === undefined) return undefined;
  return choice(context.step(condition), context.plan(truthy), context.plan(falsy));
}

function planAddition(
  context: PlanContext,
  operands: readonly Expression[],
  call: ResolvedCall,
): Plan | undefined {
  const [left, right] = operands;
  if (left === undefined || right === undefined) return undefined;
  const [first, second] = [context.step(left), context.step(right)];
  // Strings of unknown type cost one unit.
  const isText = call.overloads.length === 1 && TEXTS.has(call.overloads[0]?.id ?? '');
  const slowly = implementationOf({ ...call, declaration: { ...call.declaration, call: add } });
  return stepPlan((frame) => {
    const a = first(frame);
    const b = second(frame);
    if (a instanceof Failure || b instanceof Failure) {
      frame.cost++;
      return a instanceof Failure ? a : b;
    }
    frame.cost += isText ? Math.ceil((costSize(a) + costSize(b)) / 10) : 1;
    if (isExhausted(frame)) return CANCELLED;
    return slowly(a, b);
  });
}

const TEXTS: ReadonlySet<string> = new Set(['add_string', 'add_bytes']);

function planNot(context: PlanContext, [operand]: readonly Expression[]): Plan | undefined {
  if (operand === undefined) return undefined;
  const step = context.step(operand);
  return stepPlan((frame) => {
    const value = step(frame);
    frame.cost++;
    if (value === true) return false;
    if (value === false) return true;
    return value instanceof Failure ? value : NO_OVERLOAD;
  });
}

/** Membership in a constant list of scalars is free; in another list it costs its size, else one unit. */
function planMembership(
  context: PlanContext,
  operands: readonly Expression[],
  call: ResolvedCall,
): Plan | undefined {
  const [left, right] = operands;
  if (left === undefined || right === undefined) return undefined;
  const element = context.step(left);
  const container = context.plan(right);
  const inList = call.overloads.length === 1 && call.overloads[0]?.id === 'in_list';
  if (inList && container.kind === 'constant' && Array.isArray(container.value)) {
    if (container.value.length === 0) return constant(false);
    if (container.value.every(isScalar)) return stepPlan(constantMembership(element, container.value));
  }
  const list = planStep(container);
  return stepPlan((frame) => {
    const a = element(frame);
    const b = list(frame);
    if (a instanceof Failure || b instanceof Failure) {
      frame.cost++;
      return a instanceof Failure ? a : b;
    }
    frame.cost += inList ? costSize(b) : 1;
    return contains(b, a);
  });
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object';
}

function constantMembership(element: Step, values: readonly unknown[]): Step {
  const set = new Set(values);
  return (frame) => {
    const value = element(frame);
    if (value instanceof Failure) return value;
    return typeof value === 'string'
      ? set.has(value)
      : values.some((candidate) => equal(candidate, value) === true);
  };
}

/** `or` and `orValue` evaluate their argument only if it is needed. Values that are not optional stay as they are. */
function planOr(
  context: PlanContext,
  [left, right]: readonly Expression[],
  call: ResolvedCall,
): Plan | undefined {
  if (left === undefined || right === undefined) return undefined;
  const [first, second] = [context.step(left), context.step(right)];
  const unwrap = call.declaration.name === 'orValue';
  return stepPlan((frame) => {
    const value = first(frame);
    if (!(value instanceof Optional)) return value;
    if (value.value === undefined) return second(frame);
    return unwrap ? value.value : value;
  });
}
