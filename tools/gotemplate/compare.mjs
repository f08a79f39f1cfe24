// Renders all cases with Go and compares the results with the expected outputs in the repository; --write replaces them.
// Needs Go and downloads the modules of go.mod. The tests of src/gotemplate need neither.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printing } from './cases-printing.mjs';
import { sprig } from './cases-sprig.mjs';
import { syntax } from './cases-syntax.mjs';
import { generated } from './generate.mjs';

/** Cases by group. A case is a pair of template and data; each group has a file of expected outputs. */
const groups = { syntax, printing, sprig, generated: generated() };
const here = dirname(fileURLToPath(import.meta.url));
const write = process.argv.includes('--write');

for (const [group, cases] of Object.entries(groups)) {
  const input = cases.map(([template, data], i) => ({ name: `${group} ${i}`, template, data }));
  const results = JSON.parse(runGo([], JSON.stringify(input)));
  // Most cases share their data, so it is written once.
  const data = [...new Set(cases.map(([, value]) => JSON.stringify(value)))];
  const expected = cases.map(([template, value], i) => {
    return JSON.stringify({ template, data: data.indexOf(JSON.stringify(value)), ...results[i] });
  });
  compareOrWrite(group, `{"data":[\n${data.join(',\n')}\n],"cases":[\n${expected.join(',\n')}\n]}\n`);
  console.log(`${group}: ${cases.length} cases`);
}
compareOrWrite('sprig-types', `${JSON.stringify(JSON.parse(runGo(['functions'], '')), null, 2)}\n`);

function runGo(args, input) {
  const run = spawnSync('go', ['run', '.', ...args], {
    cwd: here,
    input,
    encoding: 'utf8',
    // The local zone of sprig's functions on dates.
    env: { ...process.env, TZ: 'UTC' },
    maxBuffer: 2 ** 28,
  });
  if (run.status !== 0) throw new Error(`cannot run the Go program: ${run.stderr || run.error}`);
  return run.stdout;
}

function compareOrWrite(name, text) {
  const path = join(here, '../../src/gotemplate/testdata/generated', `${name}.json`);
  if (write) writeFileSync(path, text);
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    process.exitCode = 1;
    console.error(`${name}: expected outputs differ from Go's`);
  }
}
