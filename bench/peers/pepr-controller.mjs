// Pepr's own controller: `node pepr-controller.mjs FOLDER TLS`. It watches its store in a cluster before it answers; a small server on
// loopback replaces it. Prints its port when it is ready.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { get } from 'node:https';
import { createRequire } from 'node:module';
import { connect, createServer as listenTcp } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [folder, tls] = process.argv.slice(2);
const api = createServer(answer).listen(0, '127.0.0.1');
await once(api, 'listening');
writeFileSync(join(tls, 'kubeconfig'), kubeconfig(api.address().port));

const port = await freePort();
const { a, Capability, PeprModule } = createRequire(join(folder, 'package.json'))('pepr');
const stamp = new Capability({ name: 'stamp', description: 'adds an annotation', namespaces: [] });
stamp
  .When(a.Pod)
  .IsCreatedOrUpdated()
  .Mutate((pod) => pod.SetAnnotation('injected-by', 'my-webhook'));
const settings = { uuid: 'bench', onError: 'reject', alwaysIgnore: { namespaces: [] } };
new PeprModule({ description: 'bench', pepr: settings }, [stamp], { deferStart: true }).start(port);
while (!(await isReady())) await sleep(100);
console.log(port);

/** Its stores exist, and never change. */
function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://loopback');
  response.writeHead(200, { 'Content-Type': 'application/json' });
  if (searchParams.has('watch')) return response.flushHeaders();
  const selected = searchParams.get('fieldSelector')?.split('=')[1];
  const name = selected ?? pathname.split('/').at(-1);
  const metadata = { name, namespace: 'pepr-system', uid: name, resourceVersion: '1' };
  const store = { apiVersion: 'pepr.dev/v1', kind: 'PeprStore', metadata, data: {} };
  const list = {
    apiVersion: 'pepr.dev/v1',
    kind: 'PeprStoreList',
    metadata: { resourceVersion: '1' },
    items: [store],
  };
  response.end(JSON.stringify(pathname.endsWith('/peprstores') ? list : store));
}

function kubeconfig(apiPort) {
  // Its client refuses plain HTTP otherwise.
  const cluster = {
    name: 'bench',
    cluster: { server: `http://127.0.0.1:${apiPort}`, 'insecure-skip-tls-verify': true },
  };
  const context = { name: 'bench', context: { cluster: 'bench', user: 'bench' } };
  const user = { name: 'bench', user: {} };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'bench',
    clusters: [cluster],
    contexts: [context],
    users: [user],
  });
}

async function freePort() {
  const server = listenTcp().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address();
  server.close();
  await once(server, 'close');
  return free;
}

/** Its endpoints exist only after its store was read. */
async function isReady() {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  if (!isOpen) return false;
  return new Promise((resolve) => {
    const options = { port, host: '127.0.0.1', path: '/healthz', rejectUnauthorized: false };
    get(options, ({ statusCode }) => resolve(statusCode === 200)).on('error', () => resolve(false));
  });
}
