// `npm start`: injects a sample Pod with the example configuration, then serves that configuration.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const main = `${root}dist/cli/main.js`;
const config = ['--config', 'examples/quickstart/podgraft.yaml'];
const pod = ['-f', 'examples/quickstart/pod.yaml'];

const show = (args) => console.log(`\n${styleText('bold', `$ podgraft ${args.join(' ')}`)}\n`);

for (const args of [
  ['explain', ...pod, ...config],
  ['inject', '-o', 'diff', ...pod, ...config],
]) {
  show(args);
  spawnSync(process.execPath, [main, ...args], { cwd: root, stdio: 'inherit' });
}

const serve = ['serve', '--self-signed', ...config, ...process.argv.slice(2)];
show(serve);
// In this process, so that it receives the signals.
process.chdir(root);
process.argv = [process.execPath, main, ...serve];
await import('../dist/cli/main.js');
