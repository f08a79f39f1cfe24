import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { cachedFolder } from './cached-folder.mjs';

const SOURCE = fileURLToPath(new URL('aws-sdk/', import.meta.url));

/** A program with the AWS SDK, bundled into one module that fits into a ConfigMap. */
export async function awsProgram() {
  const recipe = ['package-lock.json', 'program.mjs'].map((name) => readFileSync(join(SOURCE, name), 'utf8'));
  const folder = await cachedFolder('aws-program', recipe, async (made) => {
    cpSync(SOURCE, made, { recursive: true });
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: made });
    await build({
      entryPoints: [join(made, 'program.mjs')],
      outfile: join(made, 'bundle.mjs'),
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      target: 'node22',
      // Its CommonJS parts require built-in modules.
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
      logLevel: 'error',
    });
    rmSync(join(made, 'node_modules'), { recursive: true });
  });
  return readFileSync(join(folder, 'bundle.mjs'), 'utf8');
}
