import { commandsIn } from './pipes-in.ts';
import type { Template } from './template.ts';

/** The keys that a template writes out for functions that look something up: `app` of `index .Labels "app"`. */
export function literalKeys({ trees }: Template, functions: readonly string[]): ReadonlySet<string> {
  const commands = [...trees.values()].flatMap(commandsIn);
  const keys = commands.flatMap(({ args: [name, , key] }) =>
    name.type === 'identifier' && functions.includes(name.name) && key?.type === 'string' ? [key.value] : [],
  );
  return new Set(keys);
}
