import { BUILTINS } from './builtins.ts';
import { compileNodes, type NodeScope } from './compile-node.ts';
import { compileOperand } from './compile-pipe.ts';
import type { FunctionMap } from './func.ts';
import { type Budget, createMeter, DEFAULT_BUDGET } from './meter.ts';
import { parse, type Trees } from './parse.ts';
import type { Exec, FoundFunction } from './scope.ts';
import { specializeTrees } from './specialize.ts';
import type { Common } from './stable.ts';
import { fail, type State } from './state.ts';
import { TemplateError } from './template-error.ts';
import type { Value } from './values.ts';

/** A parsed template with all that its text defines. It holds no state: one can serve many executions. */
export interface Template {
  readonly name: string;
  readonly text: string;
  readonly trees: Trees;
  readonly functions: FunctionMap;
  readonly templates: ReadonlyMap<string, Exec>;
}

export interface ParseOptions {
  /** Beside the builtins, which they may replace; a name that neither has is a parse error. */
  readonly functions?: FunctionMap;
}

export interface ExecuteOptions {
  readonly budget?: Partial<Budget>;
  /** A defined template to run instead of the text itself. */
  readonly template?: string;
}

/** Parses a text once for many executions. Throws a TemplateError that names line, column and action. */
export function parseTemplate(name: string, text: string, { functions = {} }: ParseOptions = {}): Template {
  const hasFunction = (wanted: string) => findFunction(functions, wanted) !== undefined;
  return compiled({ name, text, functions, trees: parse({ name, text, hasFunction }) });
}

/**
 * The template for data that has something in common with this: what depends on nothing else is worked out here, once. For such
 * data it renders to the same as before, and fails at the same places.
 */
export function specializeTemplate(template: Template, data: Value, common: Common): Template {
  const dot = data === null ? undefined : data;
  // One budget for all that is tried out: a text can hold many actions that nobody ever gets to.
  const meter = createMeter(DEFAULT_BUDGET);
  const start = () => ({ ...createState(template, dot), meter });
  const trial = { scope: scopeOf(template), data: dot, start };
  return compiled({ ...template, trees: specializeTrees(template, common, trial) });
}

/** Renders a template. Throws a TemplateError at the first action that fails or exceeds the budget. */
export function execute(template: Template, data: Value, options: ExecuteOptions = {}): string {
  const state = createState(template, data, options);
  const { running } = state;
  const run = template.templates.get(running);
  if (run === undefined)
    return fail(state, `no template "${running}" associated with template "${template.name}"`);
  try {
    run(state, data === null ? undefined : data);
  } catch (cause) {
    if (cause instanceof TemplateError) throw cause;
    // The budget ran out, the stack did, or a host value failed: the node in progress is where.
    const reason = cause instanceof RangeError ? 'value is nested too deeply' : (cause as Error).message;
    return fail(state, reason, cause);
  }
  return state.out;
}

function compiled(parsed: Omit<Template, 'templates'>): Template {
  const templates = new Map<string, Exec>();
  const template = { ...parsed, templates };
  const scope = scopeOf(template);
  for (const [name, nodes] of parsed.trees) templates.set(name, compileNodes(scope, nodes));
  return template;
}

function scopeOf({ functions, templates }: Template): NodeScope {
  const scope: NodeScope = {
    findFunction: (wanted) => findFunction(functions, wanted),
    findTemplate: (wanted) => templates.get(wanted),
    compileOperand: (node) => compileOperand(scope, node),
  };
  return scope;
}

function findFunction(functions: FunctionMap, wanted: string): FoundFunction | undefined {
  const own = Object.hasOwn(functions, wanted) ? functions[wanted] : undefined;
  if (own !== undefined) return { func: own, builtin: false };
  const builtin = Object.hasOwn(BUILTINS, wanted) ? BUILTINS[wanted] : undefined;
  return builtin && { func: builtin, builtin: true };
}

function createState({ name, text }: Template, data: Value, options: ExecuteOptions = {}): State {
  const budget = { ...DEFAULT_BUDGET, ...options.budget };
  const value = data === null ? undefined : data;
  return {
    source: { name, text },
    meter: createMeter(budget),
    budget,
    out: '',
    node: { type: 'text', text: '', pos: 0 },
    running: options.template ?? name,
    depth: 0,
    variables: [{ name: '$', value, isInterface: false }],
    dotIsInterface: false,
  };
}
