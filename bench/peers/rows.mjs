import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments, stringify } from 'yaml';
import { oraclePath } from '../../tools/oracles/oracle-path.mjs';
import { serveArguments, startCeiling, startPodgraft, startServer } from '../servers.mjs';
import { startPepr } from './pepr.mjs';

/** Starts the peer of a row, and Podgraft with the same work. */
export async function startRow(row, tls) {
  const start = {
    'OpenTelemetry operator': opentelemetry,
    istiod: istio,
    Gatekeeper: gatekeeper,
    Pepr: async () => [await startPepr(tls), await startPodgraft(row, tls)],
    'a bare Go server': async () => [await bareGo(tls), await startPodgraft(row, tls)],
    'a bare Node server': async () => [await startCeiling(tls), await startPodgraft(row, tls)],
  }[row.peer];
  return await start(row, tls);
}

async function opentelemetry(row, tls) {
  const objects = documents(readFileSync(join(row.folder, 'cluster/cluster.yaml'), 'utf8'));
  const languages = ['java', 'nodejs', 'python', 'dotnet'];
  const images = Object.fromEntries(
    languages.map((language) => [language, `registry.example/${language}:1`]),
  );
  const settings = { languages, multi: true, native: true, images };
  const peer = await serveOracle('opentelemetry', { settings, objects }, tls);
  return [peer, await startPodgraft(row, tls)];
}

/** The configuration that Istio's own charts render, for both. */
async function istio(row, tls) {
  const operator = {
    apiVersion: 'install.istio.io/v1alpha1',
    kind: 'IstioOperator',
    spec: { profile: 'default', hub: 'docker.io/istio', tag: '1.31.0' },
  };
  const { stdout } = spawnSync(builtOracle('istio'), {
    input: `${JSON.stringify({ operator })}\n`,
    maxBuffer: 1 << 26,
  });
  const { config, values, mesh } = JSON.parse(stdout.toString());
  const namespaces = [{ metadata: { name: 'shop', labels: { 'istio-injection': 'enabled' } } }];
  const installation = { config, values, mesh, revision: 'default', nativeSidecars: true, namespaces };
  const configMap = (name, data) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'istio-system' },
    data,
  });
  const objects = [
    ...namespaces.map((each) => ({ apiVersion: 'v1', kind: 'Namespace', ...each })),
    configMap('istio-sidecar-injector', { config, values }),
    configMap('istio', { mesh }),
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'one' },
      status: { nodeInfo: { kubeletVersion: 'v1.33.0' } },
    },
  ];
  const file = join(tls.path, 'istio-of-charts.yaml');
  writeFileSync(file, objects.map((object) => stringify(object)).join('---\n'));
  const args = serveArguments(join(row.folder, 'podgraft.yaml'), tls);
  const own = startServer(process.execPath, [...args, '--cluster', file], (line) => JSON.parse(line).port);
  return [await serveOracle('istio', installation, tls), await own];
}

async function gatekeeper(row, tls) {
  const script = fileURLToPath(new URL('../gatekeeper-mutators.mjs', import.meta.url));
  const mutators = documents(execFileSync(process.execPath, [script, '10'], { encoding: 'utf8' }));
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
  const peer = await serveOracle('gatekeeper', { mutators, namespace }, tls);
  const clusterScript = '../../gatekeeper-mutators.mjs';
  return [peer, await startPodgraft({ ...row, clusterScript, clusterArguments: ['10'] }, tls)];
}

function serveOracle(system, question, tls) {
  const file = join(tls.path, `${system}.json`);
  writeFileSync(file, JSON.stringify(question));
  return startServer(builtOracle(system), ['-serve', file, tls.path], Number);
}

function builtOracle(system) {
  const path = oraclePath(system);
  if (!existsSync(path)) throw new Error(`No oracle of ${system}: build it with: npm run oracles ${system}`);
  return path;
}

function bareGo(tls) {
  const program = join(tls.path, 'bare-go');
  const cwd = fileURLToPath(new URL('bare-go', import.meta.url));
  execFileSync('go', ['build', '-buildvcs=false', '-o', program, '.'], { cwd, stdio: 'inherit' });
  return startServer(program, [tls.path], Number);
}

function documents(text) {
  return parseAllDocuments(text).flatMap((document) => document.toJSON() ?? []);
}
