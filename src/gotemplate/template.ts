import { BUILTINS } from './builtins.ts';
import { compileNodes, type NodeScope } from './compile-node.ts';
import { compileOperand } from './compile-pipe.ts';
import type { FunctionMap } from './func.ts';
import { type Budget, createMeter, DEFAULT_BUDGET } from './meter.ts';
import { parse } from './parse.ts';
import type { Exec } from './scope.ts';
import { fail, type State } from './state.ts';
import { TemplateError } from './template-error.ts';
import type { Value } from './values.ts';

/** A parsed template with all that its text defines. It holds no state: one can serve many executions. */
export interface Template {
  readonly name: string;
  readonly text: string;
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
export function parseTemplate(name: string, text: string, options: ParseOptions = {}): Template {
  const functions = options.functions ?? {};
  const find = (wanted: string) => {
    if (Object.hasOwn(functions, wanted)) return { func: functions[wanted], builtin: false };
    return Object.hasOwn(BUILTINS, wanted) ? { func: BUILTINS[wanted], builtin: true } : undefined;
  };
  const trees = parse({ name, text, hasFunction: (wanted) => find(wanted) !== undefined });
  const templates = new Map<string, Exec>();
  const scope: NodeScope = {
    findFunction: (wanted) => {
      const found = find(wanted);
      return found?.func === undefined ? undefined : { func: found.func, builtin: found.builtin };
    },
    findTemplate: (wanted) => templates.get(wanted),
    compileOperand: (node) => compileOperand(scope, node),
  };
  for (const [defined, nodes] of trees) templates.set(defined, compileNodes(scope, nodes));
  return { name, text, templates };
}

/** Renders a template. Throws a TemplateError at the first action that fails or exceeds the budget. */
export function execute(template: Template, data: Value, options: ExecuteOptions = {}): string {
  const running = options.template ?? template.name;
  const budget = { ...DEFAULT_BUDGET, ...options.budget };
  const dot = data === null ? undefined : data;
  const state: State = {
    source: { name: template.name, text: template.text },
    meter: createMeter(budget),
    budget,
    out: '',
    node: { type: 'text', text: '', pos: 0 },
    running,
    depth: 0,
    variables: [{ name: '$', value: dot, isInterface: false }],
    dotIsInterface: false,
  };
  const run = template.templates.get(running);
  if (run === undefined)
    return fail(state, `no template "${running}" associated with template "${template.name}"`);
  try {
    run(state, dot);
  } catch (cause) {
    if (cause instanceof TemplateError) throw cause;
    // The budget ran out, the stack did, or a host value failed: the node in progress is where.
    const reason = cause instanceof RangeError ? 'value is nested too deeply' : (cause as Error).message;
    return fail(state, reason, cause);
  }
  return state.out;
}
