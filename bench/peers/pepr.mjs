import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer } from '../servers.mjs';

export const PEPR_VERSION = '1.1.4';
const TOKEN = 'bench';

/** Starts Pepr's own controller with a module that adds an annotation. */
export async function startPepr(tls) {
  const folder = installedPepr();
  const script = fileURLToPath(new URL('pepr-controller.mjs', import.meta.url));
  const server = await startServer(process.execPath, [script, folder, tls.path], Number, {
    // Its default writes several lines for each review.
    LOG_LEVEL: 'error',
    NODE_ENV: 'production',
    PEPR_API_PATH: TOKEN,
    SSL_KEY_PATH: join(tls.path, 'tls.key'),
    SSL_CERT_PATH: join(tls.path, 'tls.crt'),
    KUBECONFIG: join(tls.path, 'kubeconfig'),
  });
  return { ...server, path: `/mutate/${TOKEN}?timeout=10s` };
}

/** Installs it once per version into a cache folder in the home directory: it is not a dependency of Podgraft. */
function installedPepr() {
  const folder = join(homedir(), '.cache', 'podgraft', 'peers', `pepr-${PEPR_VERSION}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(join(unfinished, 'package.json'), '{"private": true}');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `pepr@${PEPR_VERSION}`];
  execFileSync('npm', args, { cwd: unfinished, stdio: ['ignore', 'ignore', 'inherit'] });
  renameSync(unfinished, folder);
  return folder;
}
