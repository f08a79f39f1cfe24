import type { ConfigurationView, RunView } from '../src/page/view.ts';

/** The number of colours in `owners.css`, without the grey one of the API server's plug-ins. */
const COLOURS = 7;

/** The CSS class with the colours of an owner. Injectors keep theirs when the order changes or one is off. */
export type Owners = (name: string) => string;

export function ownersOf(configuration: ConfigurationView | undefined, runs: readonly RunView[]): Owners {
  const names = new Set(configuration?.injectors.map(({ name }) => name));
  const plugins = new Set<string>();
  for (const run of runs) {
    for (const { name } of run.injectors) names.add(name);
    for (const { owner, isPlugin } of run.changes) (isPlugin ? plugins : names).add(owner);
    for (const { owner } of run.kept) names.add(owner);
  }
  const indexes = new Map([...names].map((name, index) => [name, index]));
  return (name) =>
    plugins.has(name) ? 'owner is-plugin' : `owner owner-${(indexes.get(name) ?? names.size) % COLOURS}`;
}
