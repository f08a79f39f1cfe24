import type { Fold } from '../syntax/ast.ts';
import { NO_OVERLOAD } from '../values/arithmetic.ts';
import { entriesOf, isMap, keysOf, MapBuilder } from '../values/maps.ts';
import { Failure, goTypeName, messageText } from '../values/values.ts';
import type { Frame, Step } from './frame.ts';
import { CANCELLED, isExhausted, type PlanContext } from './plan.ts';

/**
 * Compiles a macro that walks a list or map. Costs are those of the operators that cel-go expands it to: reading and
 * testing the accumulator, appending to it by a list of one element, and reading the result.
 */
export function planFold(context: PlanContext, fold: Fold): Step {
  const range = context.step(fold.range);
  const { variable, variable2, shape } = fold;
  const names = variable2 === undefined ? [variable] : [variable, variable2];
  return context.scoped(names, (first = 0, second) => {
    const body = context.step(fold.body);
    const filter = fold.filter && context.step(fold.filter);
    const walk = second === undefined ? walkOne(first) : walkTwo(first, second);
    const accumulatorOf = accumulatorFor(shape, body, filter, first);
    return (frame) => {
      const values = range(frame);
      if (values instanceof Failure) return values;
      const accumulator = accumulatorOf();
      const failure = walk(frame, values, accumulator);
      if (failure !== undefined) return failure;
      frame.cost += shape === 'one' ? 2 : 1;
      return accumulator.result();
    };
  });
}

/** Takes a step for each element. A step that returns false ends the walk. */
type Walk = (frame: Frame, values: unknown, accumulator: Accumulator) => Failure | undefined;

function walkOne(index: number): Walk {
  return (frame, values, accumulator) => {
    if (!Array.isArray(values) && !isMap(values)) {
      return new Failure(`got '${goTypeName(values)}', expected iterable type`);
    }
    const { locals } = frame;
    for (const value of Array.isArray(values) ? values : keysOf(values)) {
      if (isExhausted(frame)) return CANCELLED;
      locals[index] = value;
      if (!accumulator.step(frame)) break;
    }
    return undefined;
  };
}

function walkTwo(first: number, second: number): Walk {
  return (frame, values, accumulator) => {
    if (!Array.isArray(values) && !isMap(values)) {
      return new Failure(`unsupported comprehension range type: ${goTypeName(values)}`);
    }
    const { locals } = frame;
    for (const [key, value] of Array.isArray(values) ? values.entries() : entriesOf(values)) {
      if (isExhausted(frame)) return CANCELLED;
      locals[first] = key;
      locals[second] = value;
      if (!accumulator.step(frame)) break;
    }
    return undefined;
  };
}

/** Collects the result of one walk. */
interface Accumulator {
  step(frame: Frame): boolean;
  result(): unknown;
}

function accumulatorFor(
  shape: Fold['shape'],
  body: Step,
  filter: Step | undefined,
  keyIndex: number,
): () => Accumulator {
  switch (shape) {
    case 'all':
      return () => new Quantifier(body, false, 3);
    case 'exists':
      return () => new Quantifier(body, true, 4);
    case 'one':
      return () => counter(body);
    case 'list':
      return () => filtered(appender(body), filter);
    case 'map':
      return () => filtered(inserter(body, keyIndex), filter);
    case 'entries':
      return () => filtered(merger(body), filter);
  }
}

/**
 * `all` is decided by the first false, `exists` by the first true. Errors count only if nothing decides. A class, since these are the
 * most common macros, and functions that are called for one walk only are slow.
 */
class Quantifier implements Accumulator {
  private readonly body: Step;
  private readonly decisive: boolean;
  private readonly cost: number;
  private decided = false;
  private failure: Failure | undefined;

  constructor(body: Step, decisive: boolean, cost: number) {
    this.body = body;
    this.decisive = decisive;
    this.cost = cost;
  }

  step(frame: Frame): boolean {
    if (this.decided) {
      frame.cost += this.cost - 1;
      return false;
    }
    frame.cost += this.cost;
    const value = this.body(frame);
    if (value === this.decisive) this.decided = true;
    else if (typeof value !== 'boolean') this.failure ??= value instanceof Failure ? value : NO_OVERLOAD;
    return true;
  }

  result(): unknown {
    return this.decided ? this.decisive : (this.failure ?? !this.decisive);
  }
}

function counter(body: Step): Accumulator {
  let count = 0;
  let failure: Failure | undefined;
  return {
    step(frame) {
      const value = body(frame);
      if (value === true) {
        frame.cost += 2;
        count++;
      } else if (value !== false) {
        failure = value instanceof Failure ? value : NO_OVERLOAD;
      }
      return true;
    },
    result: () => failure ?? count === 1,
  };
}

/** An accumulator that keeps the first failure of its steps. */
interface Collector {
  collect(frame: Frame): Failure | undefined;
  readonly value: unknown;
}

function appender(body: Step): Collector {
  const list: unknown[] = [];
  return {
    value: list,
    collect(frame) {
      frame.cost += 12;
      const value = body(frame);
      if (value instanceof Failure) return value;
      list.push(value);
      return undefined;
    },
  };
}

function inserter(body: Step, keyIndex: number): Collector {
  const builder = new MapBuilder();
  return {
    get value() {
      return builder.map;
    },
    collect(frame) {
      frame.cost += 3;
      const value = body(frame);
      return value instanceof Failure ? value : insert(builder, frame.locals[keyIndex], value);
    },
  };
}

function merger(body: Step): Collector {
  const builder = new MapBuilder();
  return {
    get value() {
      return builder.map;
    },
    collect(frame) {
      frame.cost += 2;
      const value = body(frame);
      if (value instanceof Failure) return value;
      if (!isMap(value)) {
        return new Failure(`no such overload: cel.@mapInsert(map, ${goTypeName(value)})`);
      }
      for (const [key, entry] of entriesOf(value)) {
        const failure = insert(builder, key, entry);
        if (failure !== undefined) return failure;
      }
      return undefined;
    },
  };
}

function insert(builder: MapBuilder, key: unknown, value: unknown): Failure | undefined {
  if (builder.get(key) !== undefined)
    return new Failure(`insert failed: key ${messageText(key)} already exists`);
  builder.set(key, value);
  return undefined;
}

/** Collects elements that pass the filter. A failure stays until the filter fails again, as in cel-go. */
function filtered(collector: Collector, filter: Step | undefined): Accumulator {
  let failure: Failure | undefined;
  return {
    step(frame) {
      const keep = filter === undefined ? true : filter(frame);
      if (keep === true) {
        const failed = collector.collect(frame);
        failure ??= failed;
      } else if (keep !== false) {
        failure = keep instanceof Failure ? keep : NO_OVERLOAD;
      }
      return true;
    },
    result: () => failure ?? collector.value,
  };
}
