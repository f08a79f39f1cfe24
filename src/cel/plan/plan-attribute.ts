import type { Index, Select } from '../syntax/ast.ts';
import { NO_OVERLOAD } from '../values/arithmetic.ts';
import { findField, findIndex, isQualifier, notFound } from '../values/find.ts';
import { NONE, Optional } from '../values/optional.ts';
import { Failure, goTypeName, Special } from '../values/values.ts';
import type { Frame, Step } from './frame.ts';
import type { Attribute, Plan, PlanContext, Qualifier } from './plan.ts';
import { ProgramFailure } from './program-failure.ts';

/** Extends the attribute of the operand by a selection or an index. */
export function planQualified(context: PlanContext, expression: Select | Index): Plan {
  const attribute = attributeOf(context.plan(expression.operand));
  extend(attribute, qualifierOf(context, expression));
  if (expression.kind === 'select' && expression.mode === 'presence') {
    return { kind: 'step', step: presenceStep(attribute) };
  }
  return { kind: 'attribute', attribute };
}

/** The value of an attribute. It costs one unit, besides those of its qualifiers; a choice is free. */
export function attributeStep(attribute: Attribute): Step {
  const resolve = resolver(attribute);
  if (attribute.base.kind === 'choice') return resolve;
  return (frame) => {
    frame.cost++;
    return resolve(frame);
  };
}

export function choice(condition: Step, truthy: Plan, falsy: Plan): Plan {
  const base = { kind: 'choice', condition, truthy: branch(truthy), falsy: branch(falsy) } as const;
  return { kind: 'attribute', attribute: { base, qualifiers: [] } };
}

function branch(plan: Plan): Attribute {
  return plan.kind === 'attribute'
    ? plan.attribute
    : { base: { kind: 'value', step: planStep(plan) }, qualifiers: [] };
}

export function planStep(plan: Plan): Step {
  if (plan.kind === 'attribute') return attributeStep(plan.attribute);
  if (plan.kind === 'step') return plan.step;
  const { value } = plan;
  return () => value;
}

function attributeOf(plan: Plan): Attribute {
  if (plan.kind === 'attribute') return plan.attribute;
  return { base: { kind: 'value', step: planStep(plan) }, qualifiers: [] };
}

function extend(attribute: Attribute, qualifier: Qualifier): void {
  if (attribute.base.kind === 'choice') {
    extend(attribute.base.truthy, qualifier);
    extend(attribute.base.falsy, qualifier);
  } else {
    attribute.qualifiers.push(qualifier);
  }
}

function qualifierOf(context: PlanContext, expression: Select | Index): Qualifier {
  if (expression.kind === 'select') {
    const { field, mode } = expression;
    return { optional: mode === 'optional', presence: mode === 'presence', key: { constant: field } };
  }
  const plan = context.plan(expression.index);
  const { optional } = expression;
  if (plan.kind === 'constant') {
    if (!isQualifier(plan.value))
      throw new ProgramFailure(`invalid qualifier type: ${goTypeName(plan.value)}`);
    return { optional, presence: false, key: { constant: plan.value } };
  }
  const step = plan.kind === 'attribute' ? resolver(plan.attribute) : plan.step;
  return { optional, presence: false, key: { step } };
}

/** The value of an attribute without the unit that reading it costs. */
function resolver(attribute: Attribute): Step {
  const { base, qualifiers } = attribute;
  switch (base.kind) {
    case 'choice': {
      const [truthy, falsy] = [resolver(base.truthy), resolver(base.falsy)];
      const { condition } = base;
      return (frame) => {
        const value = condition(frame);
        if (value === true) return truthy(frame);
        if (value === false) return falsy(frame);
        return value instanceof Failure ? value : NO_OVERLOAD;
      };
    }
    case 'local': {
      const { index } = base;
      return qualified((frame) => frame.locals[index], qualifiers);
    }
    case 'value':
      return qualified(base.step, qualifiers);
    case 'variable':
      return qualified(variableStep(base.name), qualifiers);
  }
}

function variableStep(name: string): Step {
  const unbound = new Failure(`no such attribute(s): ${name}`);
  return (frame) => {
    const value = frame.bindings[name];
    return value === undefined ? unbound : value;
  };
}

function qualified(base: Step, qualifiers: readonly Qualifier[]): Step {
  if (qualifiers.length === 0) return base;
  const fields: string[] = [];
  for (const { optional, presence, key } of qualifiers) {
    if (optional || presence || !('constant' in key) || typeof key.constant !== 'string') {
      return (frame) => applyQualifiers(frame, base(frame), qualifiers, 0);
    }
    fields.push(key.constant);
  }
  return selectFields(base, fields, qualifiers);
}

/** The common case: plain selections from JSON. */
function selectFields(base: Step, fields: readonly string[], qualifiers: readonly Qualifier[]): Step {
  const count = fields.length;
  return (frame) => {
    let value = base(frame);
    for (let i = 0; i < count; i++) {
      const next =
        value instanceof Optional || value instanceof Failure
          ? undefined
          : findField(value, fields[i] as string);
      if (next === undefined || next instanceof Failure) return applyQualifiers(frame, value, qualifiers, i);
      frame.cost++;
      value = next;
    }
    return value;
  };
}

/** Applies the qualifiers from a position on. Once something is optional, everything after it is. */
function applyQualifiers(
  frame: Frame,
  base: unknown,
  qualifiers: readonly Qualifier[],
  from: number,
): unknown {
  let value = base;
  let isOptional = false;
  if (value instanceof Failure) return value;
  if (from === 0 && value instanceof Optional) {
    if (value.value === undefined) return value;
    value = value.value;
    isOptional = true;
  }
  for (let i = from; i < qualifiers.length; i++) {
    const qualifier = qualifiers[i] as Qualifier;
    isOptional ||= qualifier.optional;
    const key = 'constant' in qualifier.key ? qualifier.key.constant : qualifier.key.step(frame);
    const found = key instanceof Failure ? key : find(value, key, isOptional || qualifier.presence);
    if (isOptional && found === undefined) return NONE;
    if (found instanceof Failure) {
      if (!isOptional) frame.cost++;
      return found;
    }
    frame.cost++;
    if (qualifier.presence && !isOptional) return found !== undefined;
    if (found === undefined) return notFound(value, key);
    value = found;
  }
  return isOptional ? new Optional(value) : value;
}

function find(value: unknown, key: unknown, ifSet: boolean): unknown {
  const found = findIndex(value, key);
  if (!ifSet || !(value instanceof Special) || found instanceof Failure) return found;
  return value.has(key) ? found : undefined;
}

/** `has()` costs what its qualifiers cost. */
function presenceStep(attribute: Attribute): Step {
  const resolve = resolver(attribute);
  return (frame) => {
    const value = resolve(frame);
    return value instanceof Optional ? value.value !== undefined : value;
  };
}
