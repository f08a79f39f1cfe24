// `npm start`: injects a sample Pod with the example configuration, then serves that configuration.
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

say(`$ podgraft inject -f ${pod} --config ${config}   (as a diff)`);
const injected = podgraft(['inject', '-f', pod], 'pipe').stdout.toString();
for (const { sign, line } of lineDiff(readFileSync(`${root}${pod}`, 'utf8'), injected)) {
  const colour = { '+': 'green', '-': 'red', ' ': 'reset' }[sign];
  console.log(process.stdout.isTTY ? styleText(colour, `${sign} ${line}`) : `${sign} ${line}`);
}

say(`$ podgraft serve --self-signed --config ${config}   (Ctrl-C to stop)`);
// In this process, so that it receives the signals.
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
