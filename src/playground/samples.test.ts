import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { builtinNames, loadCatalog } from '../injectors/catalog.ts';
import type { RunView } from '../page/view.ts';
import { createRunner } from './create-runner.ts';
import { GENERAL, samplesOf } from './samples.ts';
import { openWorkspace } from './workspace.ts';

const EXAMPLES: { readonly [injector: string]: string } = { metadata: 'quickstart', overlay: 'quickstart' };

const CATALOG = await loadCatalog();
const SAMPLES = samplesOf(CATALOG);

test('every injector has a sample', () => {
  expect(SAMPLES.map(({ injector }) => injector).toSorted()).toEqual(builtinNames);
});

test('samples are those of the configured injectors, and two for any configuration', () => {
  const general = CATALOG.filter(({ name }) => GENERAL.includes(name));
  const mesh = CATALOG.filter(({ name }) => name === 'istio');
  const samples = samplesOf([...general, ...mesh, ...mesh]);
  expect(samples.map(({ injector }) => injector)).toEqual(['metadata', 'overlay', 'istio']);
});

test.each(SAMPLES)('$title: $injector changes it', async ({ injector, yaml }) => {
  const folder = EXAMPLES[injector] ?? injector;
  const config = fileURLToPath(new URL(`../../examples/${folder}/podgraft.yaml`, import.meta.url));
  const workspace = await openWorkspace({ config, cluster: [], webhook: [], verified: [] }, () => {});
  try {
    const answer = await createRunner(async () => [])({ yaml }, workspace.current());
    const runs = 'runs' in answer ? answer.runs : [];
    expect(runs.flatMap(({ denial }) => denial ?? [])).toEqual([]);
    const changed = runs.flatMap((run) => run.injectors.filter(({ outcome }) => outcome === 'changed'));
    expect(changed.map(({ use }) => use)).toContain(injector);
    for (const run of runs) expect(unexplainedLines(run)).toEqual([]);
  } finally {
    workspace.stop();
  }
});

/** New lines of the result that no change owns. */
function unexplainedLines({ before, after, changes }: RunView): string[] {
  const known = new Set(before.split('\n'));
  return after.split('\n').filter((line, index) => {
    const isOwned = changes.some(({ lines = [0, 0] }) => lines[0] <= index + 1 && index + 1 <= lines[1]);
    return !known.has(line) && !isOwned;
  });
}
