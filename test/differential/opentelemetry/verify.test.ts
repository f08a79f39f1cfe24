import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueServing, makeCa } from '../../../src/certificates/issue-certificate.ts';
import { corpus } from '../../../src/verify/corpus.ts';
import { directServer } from '../../../src/verify/direct-server.ts';
import { runVerify, type VerifyReport } from '../../../src/verify/run-verify.ts';
import { createSession } from '../../../src/verify/session.ts';
import { type Subject, subjectsOf } from '../../../src/verify/subject.ts';
import { oraclePath } from '../../../tools/oracles/oracle-path.mjs';

/* What `podgraft verify` finds in a third-party webhook: the operator's own code behind HTTPS. */

const SYSTEM = 'opentelemetry-webhook';
const program = oraclePath(SYSTEM);
const isBuilt = existsSync(program);
if (!isBuilt) {
  const hint = `build it with: npm run oracles ${SYSTEM}`;
  if (process.env.CI) throw new Error(`No ${SYSTEM}: ${hint}`);
  console.warn(`skipped: no ${SYSTEM}; ${hint}`);
}

/** Pods of this namespace, in which `verify` creates them, get Java's agent and a collector. */
const OBJECTS = [
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: 'podgraft-verify',
      annotations: {
        'instrumentation.opentelemetry.io/inject-java': 'true',
        'sidecar.opentelemetry.io/inject': 'true',
      },
    },
  },
  {
    apiVersion: 'opentelemetry.io/v1alpha1',
    kind: 'Instrumentation',
    metadata: { name: 'default', namespace: 'podgraft-verify' },
    spec: { exporter: { endpoint: 'http://localhost:4318' }, java: { image: 'registry.example.com/java:2' } },
  },
  {
    apiVersion: 'opentelemetry.io/v1beta1',
    kind: 'OpenTelemetryCollector',
    metadata: { name: 'agent', namespace: 'podgraft-verify' },
    spec: {
      mode: 'sidecar',
      image: 'registry.example.com/collector:1',
      config: {
        receivers: { otlp: { protocols: { http: {} } } },
        exporters: { debug: {} },
        service: { pipelines: { traces: { receivers: ['otlp'], exporters: ['debug'] } } },
      },
    },
  },
];

/** As the operator registers it. */
function configuration(port: string, caBundle: string) {
  const clientConfig = { url: `https://localhost:${port}/mutate-v1-pod`, caBundle };
  const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }];
  const settings = { failurePolicy: 'Ignore', sideEffects: 'None', timeoutSeconds: 10 };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'opentelemetry-operator' },
    webhooks: [{ name: 'mpod.kb.io', clientConfig, rules, admissionReviewVersions: ['v1'], ...settings }],
  };
}

describe.skipIf(!isBuilt)('podgraft verify, on the webhook of the OpenTelemetry operator,', () => {
  let stop: () => void;
  let report: VerifyReport;
  let subject: Subject;
  beforeAll(async () => {
    const now = new Date();
    const ca = makeCa({ commonName: 'verify', days: 1, now });
    const serving = issueServing({ ca, dnsNames: ['localhost'], days: 1, now });
    const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
    stop = () => child.stdin.end();
    child.stdin.write(`${JSON.stringify({ ...serving, objects: OBJECTS })}\n`);
    const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const caBundle = Buffer.from(ca.certificate).toString('base64');
    const subjects = subjectsOf([configuration(port, caBundle)], (webhook) => directServer(webhook));
    subject = subjects[0] as Subject;
    report = await runVerify({ subjects, samples: corpus(), objects: OBJECTS.slice(0, 1) });
  }, 600_000);
  afterAll(() => stop?.());

  it('tries every check, with a webhook that injects', async () => {
    const tried = report.results.filter(({ outcome }) => outcome !== 'skipped');
    expect(tried).toHaveLength(14);
    expect(report.notes).toEqual([]);
    const session = createSession([subject], {});
    const object = corpus()[0]?.object ?? {};
    const reviewed = await session.review(subject, session.requestFor([subject], object));
    const { patch = '' } = 'response' in reviewed ? reviewed.response : {};
    const text = Buffer.from(patch, 'base64').toString();
    for (const name of ['opentelemetry-auto-instrumentation-java', 'otc-container'])
      expect(text).toContain(`"name":"${name}"`);
  });

  it('finds that it drops fields unknown to its types, and nothing else', () => {
    const failed = report.results.flatMap(({ check, finding }) =>
      finding ? [{ check: check.id, finding }] : [],
    );
    expect(failed.map(({ check }) => check)).toEqual(['unknown-fields']);
    expect(failed[0]?.finding.paths).toContain('spec.containers[app].fieldOfANewerVersion');
    expect(failed[0]?.finding.smallest).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'verify' },
      spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1.2' }] },
    });
  });
});
