import { BUILTINS } from './builtins.ts';
import { compileNodes, type NodeScope } from './compile-node.ts';
import { compileOperand } from './compile-pipe.ts';
import type { FunctionMap } from './func.ts';
import { type Budget, BudgetError, createMeter, DEFAULT_BUDGET } from './meter.ts';
import type { Node } from './nodes.ts';
import { parse, type Trees } from './parse.ts';
import type { Exec, FoundFunction } from './scope.ts';
import { type KnownData, specializeNodes } from './specialize.ts';
import { fail, type State } from './state.ts';
import { TemplateError } from './template-error.ts';
import type { Value } from './values.ts';

/** A parsed template and those that its text defines. It holds no state and can be executed many times. */
export interface Template {
  readonly name: string;
  readonly text: string;
  readonly trees: Trees;
  readonly functions: FunctionMap;
  readonly templates: ReadonlyMap<string, Exec>;
}

export interface ParseOptions {
  /** Added to the builtins, which they may replace. An unknown name is a parse error. */
  readonly functions?: FunctionMap;
}

export interface ExecuteOptions {
  readonly budget?: Partial<Budget>;
  /** The name of a defined template to run instead of the whole text. */
  readonly template?: string;
}

/** Parses a template for any number of executions. Throws a TemplateError with line, column and action. */
export function parseTemplate(name: string, text: string, { functions = {} }: ParseOptions = {}): Template {
  const hasFunction = (wanted: string) => findFunction(functions, wanted) !== undefined;
  return compiled({ name, text, functions, trees: parse({ name, text, hasFunction }) });
}

/**
 * A variant of the template for data that has the same known values as `data`: everything that depends on them alone is
 * evaluated here. For such data it renders the same text, and fails at the same places.
 */
export function specializeTemplate(template: Template, data: Value, known: KnownData): Template {
  const { name, trees } = template;
  const dot = data === null ? undefined : data;
  const scope = scopeOf(template);
  // One budget for all attempts: a text can hold many actions that no execution reaches.
  const meter = createMeter(DEFAULT_BUDGET);
  const render = (node: Node) => {
    const state = { ...createState(template, dot), meter };
    try {
      compileNodes(scope, [node])(state, dot);
      return state.out;
    } catch (error) {
      if (mayFail(error)) return undefined;
      throw error;
    }
  };
  const nodes = specializeNodes(trees.get(name) ?? [], trees, known, render);
  // Templates that call this one by its name may do so with other data: they find the original.
  return {
    ...template,
    trees: new Map(trees).set(name, nodes),
    templates: new Map(template.templates).set(name, compileNodes(scope, nodes)),
  };
}

/** Whether an execution that reaches the node fails, too: by its data, the budget or the stack. Anything else is a bug of the host. */
function mayFail(error: unknown): boolean {
  return error instanceof TemplateError || error instanceof BudgetError || error instanceof RangeError;
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
    // The budget or the stack is exhausted, or a host value failed: report the current node.
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
