import { CelError } from '../cel-error.ts';
import type { ResolvedCall } from '../check/checked.ts';
import { CostError } from '../cost-error.ts';
import type { Cost, Implementation } from '../declarations.ts';
import { Failure, typeNameOf } from '../values/values.ts';
import { typeTest } from './match-type.ts';

/** How to carry out a call that the checker resolved. Returns a failure instead of throwing a CelError, unless it is a CostError. */
export function implementationOf({ declaration, overloads }: ResolvedCall): Implementation {
  if (declaration.call !== undefined) return catching(declaration.call);
  const [only] = overloads;
  // An overload that the checker chose is called even if others would fit the values.
  const candidates = overloads.length === 1 && only !== undefined ? [only] : declaration.overloads;
  const tested = candidates.flatMap(({ call, parameters }) => {
    if (call === undefined) return [];
    return [
      {
        call: catching(call),
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

function catching(call: Implementation): Implementation {
  return (...args) => {
    try {
      return call(...args);
    } catch (error) {
      if (!(error instanceof CelError) || error instanceof CostError) throw error;
      return new Failure(error.message);
    }
  };
}
