import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../sdk/index.ts';
import { rewriteProbes } from './rewrite-probes.ts';

const MESH_PORT = 15020;
const OPTIONS = {
  isDefault: true,
  statusPort: String(MESH_PORT),
  keepUnknownPorts: true,
  isReinjection: false,
};
const PORTS = [
  { name: 'http', containerPort: 8080 },
  { name: 'agent', containerPort: MESH_PORT },
];

/** The container after the call, and where the agent forwards its probes. */
function rewrite(container: JsonObject, annotations: JsonObject = {}) {
  const pod = {
    metadata: { annotations },
    spec: { containers: [{ name: 'web', ports: PORTS, ...container }, { name: 'istio-proxy' }] },
  };
  const { pod: next, warnings } = rewriteProbes(pod, OPTIONS);
  const { containers } = next.spec as { containers: [JsonObject, { env?: [{ value: string }] }] };
  const text = containers[1].env?.[0].value;
  return {
    web: containers[0],
    probers: text === undefined ? undefined : (JSON.parse(text) as Json),
    warnings,
  };
}

const agentProbe = (port: number, suffix = 'readyz') => ({ path: `/app-health/web/${suffix}`, port });

test('a probe is sent to the agent, which forwards it', () => {
  const { web, probers } = rewrite({ readinessProbe: { httpGet: { path: '/ready', port: 'http' } } });
  expect(web.readinessProbe).toEqual({ httpGet: agentProbe(MESH_PORT) });
  expect(probers).toEqual({ '/app-health/web/readyz': { httpGet: { path: '/ready', port: 8080 } } });
});

describe("a probe at the mesh's status port was rewritten before: it has no entry of its own", () => {
  const OTHER_PORT = { 'status.sidecar.istio.io/port': '15030' };

  test.each<[string, JsonObject]>([
    ['a number', { httpGet: { path: '/ready', port: MESH_PORT } }],
    ['a number in quotes', { httpGet: { path: '/ready', port: String(MESH_PORT) } }],
    ['a name', { httpGet: { path: '/ready', port: 'agent' } }],
    ['of tcpSocket', { tcpSocket: { port: MESH_PORT } }],
  ])('%s', (_, readinessProbe) => {
    const { web, probers } = rewrite({ readinessProbe });
    expect(web.readinessProbe).toMatchObject({ httpGet: agentProbe(MESH_PORT) });
    expect(probers).toBeUndefined();
  });

  test("also if the Pod's agent has another port", () => {
    const { web, probers } = rewrite({ readinessProbe: { httpGet: { port: MESH_PORT } } }, OTHER_PORT);
    expect(web.readinessProbe).toEqual({ httpGet: agentProbe(15030) });
    expect(probers).toBeUndefined();
  });

  test('as is a hook', () => {
    const { probers } = rewrite({ lifecycle: { preStop: { httpGet: { path: '/bye', port: MESH_PORT } } } });
    expect(probers).toBeUndefined();
  });

  test("but one at the port of the Pod's annotation is the application's", () => {
    const { web, probers } = rewrite({ livenessProbe: { httpGet: { path: '/', port: 15030 } } }, OTHER_PORT);
    expect(web.livenessProbe).toEqual({ httpGet: agentProbe(15030, 'livez') });
    expect(probers).toEqual({ '/app-health/web/livez': { httpGet: { path: '/', port: 15030 } } });
  });

  test('unless the kubelet speaks gRPC, which the agent never does', () => {
    const { web, probers } = rewrite({ readinessProbe: { grpc: { port: MESH_PORT } } });
    expect(web.readinessProbe).toEqual({ httpGet: agentProbe(MESH_PORT) });
    expect(probers).toEqual({ '/app-health/web/readyz': { grpc: { port: MESH_PORT, service: null } } });
  });
});

test('a probe that is at the agent already has no entry, whatever the port', () => {
  const readinessProbe = { httpGet: agentProbe(15030) };
  const { web, probers } = rewrite({ readinessProbe }, { 'status.sidecar.istio.io/port': '15030' });
  expect(web.readinessProbe).toBe(readinessProbe);
  expect(probers).toBeUndefined();
});

test('a probe of an undeclared port and a status port of 0 are left alone, with a warning', () => {
  const unknown = rewrite({ readinessProbe: { httpGet: { port: 'metrics' } } });
  expect(unknown.web.readinessProbe).toEqual({ httpGet: { port: 'metrics' } });
  expect(unknown.warnings).toEqual([
    'readinessProbe of container "web" uses port "metrics", which the container does not declare: it is not sent through the proxy',
  ]);
  const zero = rewrite(
    { readinessProbe: { httpGet: { port: 80 } } },
    { 'status.sidecar.istio.io/port': '0' },
  );
  expect(zero.web.readinessProbe).toEqual({ httpGet: { port: 80 } });
  expect(zero.warnings).toEqual(['status.sidecar.istio.io/port is 0: probes are not sent through the proxy']);
});

test('warnings about undeclared ports are few and short, whatever the names', () => {
  const text = 'x'.repeat(300_000);
  const containers = Array.from({ length: 50 }, () => ({
    name: text,
    readinessProbe: { httpGet: { port: text } },
  }));
  const { warnings } = rewriteProbes(
    { spec: { containers: [...containers, { name: 'istio-proxy' }] } },
    OPTIONS,
  );
  expect(warnings).toHaveLength(21);
  expect(warnings.every(({ length }) => length < 400)).toBe(true);
});
