import { NO_WORK, reading } from '../call-work.ts';
import { CelError } from '../cel-error.ts';
import type { ResolvedCall } from '../check/checked.ts';
import { CostError } from '../cost-error.ts';
import type { Cost, Implementation, Work } from '../declarations.ts';
import type { Type } from '../types.ts';
import { Failure, typeNameOf } from '../values/values.ts';
import { spendWork } from '../work.ts';
import { typeTest } from './match-type.ts';

/** How to carry out a call that the checker resolved. Returns a failure instead of throwing a CelError, unless it is a CostError. */
export function implementationOf({ declaration, overloads }: ResolvedCall): Implementation {
  if (declaration.call !== undefined) return catching(declaration.call, declaration.work ?? reading);
  const [only] = overloads;
  // An overload that the checker chose is called even if others would fit the values.
  const candidates = overloads.length === 1 && only !== undefined ? [only] : declaration.overloads;
  const tested = candidates.flatMap(({ call, parameters }) => {
    if (call === undefined) return [];
    return [
      {
        call: catching(call, declaration.work ?? defaultWork(parameters)),
        tests: declaration.unguarded ? [] : parameters.map(typeTest),
        count: parameters.length,
      },
    ];
  });
  return (...args) => {
    for (const { call, tests, count } of tested) {
      if (count === args.length && tests.every((test, i) => test(args[i]))) return call(...args);
    }
    return new Failure(`no such overload: ${declaration.name}(${args.map(typeNameOf).join(', ')})`);
  };
}

/** What a call costs besides its arguments: a function of them, or one unit. */
export function costOf({ declaration, overloads }: ResolvedCall): Cost | undefined {
  if (overloads.length === 1 && overloads[0]?.cost !== undefined) return overloads[0].cost;
  return declaration.cost;
}

/** Nothing for arguments that are never long. */
function defaultWork(parameters: readonly Type[]): Work | undefined {
  return parameters.some(({ kind }) => LONG.has(kind)) ? reading : undefined;
}

const LONG: ReadonlySet<Type['kind']> = new Set(['string', 'bytes', 'list', 'map', 'dyn', 'parameter']);

/** Throwing takes about a microsecond. */
const THROW_WORK = 100;

function catching(call: Implementation, declared: Work | undefined): Implementation {
  const work = declared === NO_WORK ? undefined : declared;
  return (...args) => {
    try {
      if (work !== undefined) spendWork(work(args));
      return call(...args);
    } catch (error) {
      if (!(error instanceof CelError) || error instanceof CostError) throw error;
      spendWork(THROW_WORK);
      return new Failure(error.message);
    }
  };
}
