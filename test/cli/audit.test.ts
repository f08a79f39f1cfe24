import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  answer,
  type Call,
  type FakeApiServer,
  refuse,
  startFakeApiServer,
} from '../cluster/fake-api-server.ts';
import { MAIN, podgraft } from '../podgraft-process.ts';
import { STAMP } from '../stamp.ts';

const PODS = 20_000;
const folder = mkdtempSync(join(tmpdir(), 'podgraft-audit-'));
let api: FakeApiServer;
beforeAll(async () => {
  api = await startFakeApiServer(() => {});
  writeFileSync(join(folder, 'podgraft.yaml'), STAMP);
  const cluster = { name: 'c', cluster: { server: api.url } };
  const kubeconfig = {
    clusters: [cluster],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    users: [{ name: 'u', user: {} }],
    'current-context': 'c',
  };
  writeFileSync(join(folder, 'kubeconfig'), JSON.stringify(kubeconfig));
});
afterAll(async () => {
  await api.stop();
  rmSync(folder, { recursive: true });
});
const args = ['audit', '--kubeconfig', join(folder, 'kubeconfig'), '--config', join(folder, 'podgraft.yaml')];

/** Every tenth Deployment was missed. */
function pod(index: number): object {
  const deployment = Math.floor(index / 10);
  const annotations = deployment % 10 === 0 ? {} : { 'injected-by': 'my-webhook' };
  return {
    metadata: {
      name: `web-${index}`,
      namespace: 'shop',
      annotations,
      labels: { 'pod-template-hash': 'abc' },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `d${deployment}-abc`, uid: 'u', controller: true },
      ],
    },
    spec: { containers: [{ name: 'web', image: 'nginx', env: [{ name: 'A', value: 'x'.repeat(2000) }] }] },
    status: { phase: 'Running' },
  };
}

function listPods({ query }: Call, response: ServerResponse, last = PODS): void {
  const [from, limit] = [Number(query.get('continue') ?? 0), Number(query.get('limit'))];
  const to = Math.min(from + limit, PODS);
  if (to > last) return void response.destroy();
  answer(response, {
    kind: 'PodList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '1', ...(to < PODS && { continue: String(to) }) },
    items: Array.from({ length: to - from }, (_, at) => pod(from + at)),
  });
}

const emptyList = { apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [] };

test('audits 20,000 Pods page by page, in less than 200 MB', async () => {
  api.handle = (call, response) =>
    call.path === '/api/v1/pods' ? listPods(call, response) : answer(response, emptyList);
  const child = spawn(process.execPath, [MAIN, ...args, '-o', 'json']);
  let peak = 0;
  const watch = setInterval(() => {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(status(child.pid)) ?? [];
    peak = Math.max(peak, Number(kilobytes ?? 0));
  }, 20);
  const output = text(child.stdout);
  const [code] = (await once(child, 'exit')) as [number];
  clearInterval(watch);
  expect(code).toBe(1);
  const { pods, complete, findings } = JSON.parse(await output);
  expect({ pods, complete, findings: findings.length }).toEqual({
    pods: PODS,
    complete: true,
    findings: 200,
  });
  expect(findings[0]).toMatchObject({
    workload: { kind: 'Deployment', name: 'd0' },
    injector: 'stamp',
    podCount: 10,
  });
  expect(peak).toBeGreaterThan(0);
  expect(peak * 1024).toBeLessThan(200e6);
}, 60_000);

function status(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

test('reports what it found before the API server went away', async () => {
  api.handle = (call, response) =>
    call.path === '/api/v1/pods' ? listPods(call, response, 1000) : answer(response, emptyList);
  const { code, stdout, stderr } = await podgraft(args);
  expect(code).toBe(1);
  expect(stdout).toMatch(/\n1000 Pods audited: 10 workloads with missing injections\n$/);
  expect(stderr).toMatch(/^error: the audit ended after 1000 Pods: .+\n$/);
});

test('names the permission that is missing', async () => {
  api.handle = (call, response) =>
    call.path === '/api/v1/pods'
      ? refuse(response, 403, 'Forbidden', 'pods is forbidden: User "jane" cannot list resource "pods"')
      : answer(response, emptyList);
  const { code, stdout, stderr } = await podgraft(args);
  expect(code).toBe(1);
  expect(stdout).toBe('0 Pods audited: nothing is missing\n');
  expect(stderr).toContain('cannot list resource "pods"');
});

test.each(['html', 'policyreport'])('-o %s has every finding', async (output) => {
  api.handle = (call, response) => {
    if (call.path !== '/api/v1/namespaces/shop/pods') return answer(response, emptyList);
    answer(response, { ...emptyList, items: [pod(0), pod(1), pod(15)] });
  };
  const { code, stdout } = await podgraft([...args, '-n', 'shop', '-o', output]);
  expect(code).toBe(1);
  if (output === 'html') expect(stdout).toMatch(/<td>Deployment\/d0<\/td><td>2<\/td><td>stamp<\/td>/);
  else
    expect(JSON.parse(stdout).items).toMatchObject([
      {
        kind: 'PolicyReport',
        metadata: { namespace: 'shop' },
        results: [{ policy: 'stamp', result: 'fail' }],
      },
    ]);
});

test('exits with 0 if nothing is missing', async () => {
  api.handle = (_, response) => answer(response, emptyList);
  expect(await podgraft(args)).toEqual({
    code: 0,
    stdout: '0 Pods audited: nothing is missing\n',
    stderr: '',
  });
});
