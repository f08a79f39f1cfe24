// `podgraft loops` against JSON.parse of the same lines: `node bench/loops.mjs [--gigabyte]`. Needs a build.
import { createWriteStream, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { openLog } from '../dist/cli/log-input.js';
import { AuditLog } from '../dist/loops/audit-log.js';

const AT_LEAST = 0.7;
const TURNS = Number(process.env.BENCH_TURNS ?? 9);
const OBJECTS = 2000;

/** Prints MB/s of both and their ratio, and returns missed targets. */
export async function loopsTable() {
  const file = join(tmpdir(), `podgraft-audit-${process.pid}.log`);
  try {
    await writeLog(file, 64e6);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const bytes = statSync(file).size;
    const ratios = [];
    let best = 0;
    for (let turn = 0; turn <= TURNS; turn++) {
      const parseStart = process.cpuUsage();
      for (const line of lines) JSON.parse(line);
      const parse = cpuSeconds(parseStart);
      const start = process.cpuUsage();
      const log = await readLog(file);
      const own = cpuSeconds(start);
      if (log.counts.writes !== lines.length) throw new Error('The log was not read completely');
      if (log.finder.loops().length !== 1) throw new Error('The loop was not found');
      // The first turn warms up.
      if (turn > 0) ratios.push(parse / own);
      if (turn > 0) best = Math.max(best, bytes / own / 1e6);
    }
    const ratio = ratios.toSorted((one, other) => one - other)[Math.floor(ratios.length / 2)];
    console.log(
      `\nloops: ${best.toFixed(0)} MB/s of audit log, ratio ${ratio.toFixed(2)} to JSON.parse alone (at least ${AT_LEAST})`,
    );
    return ratio < AT_LEAST ? [`loops: ratio ${ratio.toFixed(2)}, expected at least ${AT_LEAST}`] : [];
  } finally {
    rmSync(file, { force: true });
  }
}

async function readLog(file) {
  const log = new AuditLog();
  for await (const chunk of openLog(file)) log.add(chunk);
  log.end();
  return log;
}

function cpuSeconds(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** Creates and updates of many Deployments, as the audit policy of `podgraft loops` logs them, and one that two writers contend for. */
async function writeLog(file, size) {
  const out = createWriteStream(file);
  let written = 0;
  for (let index = 1; written < size; index++) {
    const line = `${JSON.stringify(event(index))}\n`;
    written += line.length;
    if (!out.write(line)) await new Promise((resolve) => out.once('drain', resolve));
  }
  out.end();
  await finished(out);
}

function event(index) {
  const isFight = index % 50 === 0;
  const number = isFight ? 0 : 1 + (index % OBJECTS);
  const round = Math.floor(index / OBJECTS);
  const user = isFight ? (index % 100 === 0 ? 'adder' : 'remover') : 'deployer';
  const labels = { app: `web-${number}`, tier: 'front', ...(user === 'adder' && { team: 'a' }) };
  const object = deployment(number, labels, `registry.example.com/web:${round}`, index);
  const time = new Date(Date.UTC(2026, 0, 1) + index * 100).toISOString();
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'RequestResponse',
    auditID: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    stage: 'ResponseComplete',
    requestURI: `/apis/apps/v1/namespaces/default/deployments/web-${number}?fieldManager=${user}`,
    verb: 'update',
    user: { username: user, groups: ['system:authenticated'] },
    sourceIPs: ['10.0.0.1'],
    userAgent: `${user}/v1.0 (linux/amd64) kubernetes/abcdef`,
    objectRef: {
      resource: 'deployments',
      namespace: 'default',
      name: `web-${number}`,
      apiGroup: 'apps',
      apiVersion: 'v1',
    },
    responseStatus: { metadata: {}, code: 200 },
    requestObject: object,
    responseObject: object,
    requestReceivedTimestamp: time,
    stageTimestamp: time,
    annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': 'RBAC: allowed' },
  };
}

function deployment(number, labels, image, version) {
  const env = Array.from({ length: 12 }, (_, index) => ({
    name: `VARIABLE_${index}`,
    value: `value ${index} of web`,
  }));
  const container = (name) => ({
    name,
    image,
    env,
    ports: [{ containerPort: 8080, protocol: 'TCP' }],
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: 'IfNotPresent',
    volumeMounts: [{ name: 'config', mountPath: '/etc/web', readOnly: true }],
  });
  return {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    metadata: {
      name: `web-${number}`,
      namespace: 'default',
      uid: `11111111-0000-4000-8000-${String(number).padStart(12, '0')}`,
      resourceVersion: String(version),
      generation: version,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels,
      annotations: { 'deployment.kubernetes.io/revision': '1' },
    },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: `web-${number}` } },
      template: {
        metadata: { creationTimestamp: null, labels: { app: `web-${number}` } },
        spec: {
          containers: [container('web'), container('proxy')],
          volumes: [{ name: 'config', configMap: { name: 'web', defaultMode: 420 } }],
          restartPolicy: 'Always',
          dnsPolicy: 'ClusterFirst',
          schedulerName: 'default-scheduler',
          terminationGracePeriodSeconds: 30,
        },
      },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
    },
    status: { observedGeneration: version, replicas: 3, readyReplicas: 3, availableReplicas: 3 },
  };
}

/** Reads 1 GB once, in a separate process with its own memory: `node bench/loops.mjs --gigabyte`. */
async function gigabyte() {
  const file = join(tmpdir(), `podgraft-audit-${process.pid}.log`);
  try {
    await writeLog(file, 1e9);
    globalThis.gc?.();
    const start = process.cpuUsage();
    let most = 0;
    const log = new AuditLog();
    for await (const chunk of openLog(file)) {
      log.add(chunk);
      most = Math.max(most, process.memoryUsage.rss());
    }
    log.end();
    const seconds = cpuSeconds(start);
    console.log(
      `1 GB: ${log.counts.writes} writes, ${(1e3 / seconds).toFixed(0)} MB/s, at most ${(most / 2 ** 20).toFixed(0)} MiB RSS, ${log.finder.loops().length} loop`,
    );
  } finally {
    rmSync(file, { force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--gigabyte')) await gigabyte();
  else process.exitCode = (await loopsTable()).length;
}
