// `npm start`: shows on a sample Pod what the example configuration does, then serves it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { lineDiff } from './line-diff.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const main = `${root}dist/cli/main.js`;
const config = 'examples/quickstart/podgraft.yaml';
const pod = 'examples/quickstart/pod.yaml';

const say = (text) => console.log(`\n${styleText('bold', text)}\n`);
const podgraft = (args, stdio) =>
  spawnSync(process.execPath, [main, ...args, '--config', config], { cwd: root, stdio });

say(`$ podgraft explain -f ${pod} --config ${config}`);
podgraft(['explain', '-f', pod], 'inherit');

say(`$ podgraft inject -f ${pod} --config ${config}   (as a difference)`);
const injected = podgraft(['inject', '-f', pod], 'pipe').stdout.toString();
for (const { sign, line } of lineDiff(readFileSync(`${root}${pod}`, 'utf8'), injected)) {
  const colour = { '+': 'green', '-': 'red', ' ': 'reset' }[sign];
  console.log(process.stdout.isTTY ? styleText(colour, `${sign} ${line}`) : `${sign} ${line}`);
}

say(`$ podgraft serve --self-signed --config ${config}   (Ctrl-C ends it)`);
// In this process, so that signals reach it.
process.chdir(root);
process.argv = [
  process.execPath,
  main,
  'serve',
  '--self-signed',
  '--config',
  config,
  ...process.argv.slice(2),
];
await import('../dist/cli/main.js');
