import type { Node } from './nodes.ts';
import { pipesIn } from './pipes-in.ts';

/** Variables that one action declares and nothing assigns to: wherever they are used, they hold what that action said. */
export function variablesSetOnce(nodes: readonly Node[]): ReadonlySet<string> {
  const all = pipesIn(nodes).flatMap(({ variables }) => variables);
  return new Set(all.filter((name) => all.indexOf(name) === all.lastIndexOf(name)));
}
