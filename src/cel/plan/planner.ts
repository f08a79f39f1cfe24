import type { Checked } from '../check/checked.ts';
import type { Environment } from '../declarations.ts';
import type { Bind, Expression, Logic, OptionalMap } from '../syntax/ast.ts';
import { NO_OVERLOAD } from '../values/arithmetic.ts';
import { NONE, Optional } from '../values/optional.ts';
import { Failure, TypeValue, typeNameOf } from '../values/values.ts';
import type { Step } from './frame.ts';
import { CANCELLED, constant, isExhausted, type Plan, type PlanContext, stepPlan } from './plan.ts';
import { planAggregate } from './plan-aggregate.ts';
import { planQualified, planStep } from './plan-attribute.ts';
import { planCall } from './plan-call.ts';
import { planFold } from './plan-fold.ts';
import { ProgramFailure } from './program-failure.ts';

/** Compiles a checked expression to closures. Throws a ProgramFailure if a constant part of it fails. */
export function plan(
  expression: Expression,
  checked: Checked,
  environment: Environment,
): { step: Step; localCount: number } {
  const planner = new Planner(checked, environment);
  return { step: planner.step(expression), localCount: planner.localCount };
}

class Planner implements PlanContext {
  readonly checked: Checked;
  readonly environment: Environment;
  localCount = 0;
  private readonly scopes: { readonly name: string; readonly index: number }[] = [];

  constructor(checked: Checked, environment: Environment) {
    this.checked = checked;
    this.environment = environment;
  }

  step(expression: Expression): Step {
    return planStep(this.plan(expression));
  }

  plan(expression: Expression): Plan {
    const reference = this.checked.references.get(expression);
    if (reference !== undefined) {
      if ('typeName' in reference) return this.planType(reference.typeName);
      return this.planVariable(reference.variable);
    }
    switch (expression.kind) {
      case 'literal':
        return constant(expression.value);
      case 'name':
        throw new Error(`name "${expression.name}" was not checked`);
      case 'select':
      case 'index':
        return planQualified(this, expression);
      case 'call':
        return planCall(this, expression);
      case 'logic':
        return stepPlan(planLogic(this, expression));
      case 'list':
      case 'map':
      case 'struct':
        return planAggregate(this, expression);
      case 'fold':
        return stepPlan(planFold(this, expression));
      case 'optionalMap':
        return stepPlan(planOptionalMap(this, expression));
      case 'bind':
        return stepPlan(planBind(this, expression));
    }
  }

  scoped<T>(names: readonly string[], run: (...indexes: readonly number[]) => T): T {
    const before = this.scopes.length;
    const indexes = names.map((_, i) => before + i);
    for (const [i, name] of names.entries()) this.scopes.push({ name, index: before + i });
    this.localCount = Math.max(this.localCount, this.scopes.length);
    const result = run(...indexes);
    this.scopes.length = before;
    return result;
  }

  /** cel-go knows the names of struct types, but has no values for them. */
  private planType(name: string): Plan {
    if (!this.environment.typeNames.has(name))
      throw new ProgramFailure(`reference to undefined type: ${name}`);
    return constant(new TypeValue(name));
  }

  private planVariable(name: string): Plan {
    const local = this.scopes.findLast((scope) => scope.name === name);
    const base = local
      ? ({ kind: 'local', index: local.index } as const)
      : ({ kind: 'variable', name } as const);
    return { kind: 'attribute', attribute: { base, qualifiers: [] } };
  }
}

/** `&&` and `||`: a side that decides wins, even over an error; of several errors the first one remains. */
function planLogic(context: PlanContext, { operator, terms }: Logic): Step {
  const decisive = operator === '||';
  const steps = terms.map((term) => context.step(term));
  return (frame) => {
    let failure: Failure | undefined;
    for (const step of steps) {
      const value = step(frame);
      if (value === decisive) return decisive;
      if (value !== !decisive) failure ??= value instanceof Failure ? value : NO_OVERLOAD;
    }
    return failure ?? !decisive;
  };
}

/** cel-go evaluates the target twice: for `hasValue` and for `value`. Here it costs twice. */
function planOptionalMap(context: PlanContext, expression: OptionalMap): Step {
  const target = context.step(expression.target);
  const { flat } = expression;
  return context.scoped([expression.variable], (index = 0) => {
    const body = context.step(expression.body);
    return (frame) => {
      const before = frame.cost;
      const value = target(frame);
      const targetCost = frame.cost - before;
      frame.cost++;
      if (value instanceof Failure) return value;
      if (!(value instanceof Optional))
        return new Failure(`no such overload: hasValue(${typeNameOf(value)})`);
      if (value.value === undefined) {
        frame.cost++;
        return NONE;
      }
      frame.cost += targetCost + 1;
      if (isExhausted(frame)) return CANCELLED;
      frame.locals[index] = value.value;
      const result = body(frame);
      if (flat) return result;
      frame.cost++;
      return result instanceof Failure ? result : new Optional(result);
    };
  });
}

function planBind(context: PlanContext, { variable, value, body }: Bind): Step {
  const step = context.step(value);
  return context.scoped([variable], (index = 0) => {
    const inner = context.step(body);
    return (frame) => {
      frame.locals[index] = step(frame);
      return inner(frame);
    };
  });
}
