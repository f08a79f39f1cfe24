import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { podgraft } from '../podgraft-process.ts';
import { STAMP } from '../stamp.ts';

const CONFIG = `${STAMP}  - {name: credentials, use: pod-identity}
  - {name: logs, use: filebeat, with: {initContainers: true}}
  - {name: telemetry, use: opentelemetry}
  - {name: mesh, use: istio, with: {demonstration: true}}
`;

const CLUSTER = `apiVersion: v1
kind: ServiceAccount
metadata: {name: web, namespace: default, annotations: {eks.amazonaws.com/role-arn: "arn:aws:iam::111122223333:role/web"}}
secrets:
---
apiVersion: opentelemetry.io/v1alpha1
kind: Instrumentation
metadata: {name: all, namespace: default, labels: }
spec: {env: , java: {resourceRequirements: }}
`;

const POD = `apiVersion: v1
kind: Pod
metadata:
  name: web
  labels:
    sidecar.istio.io/inject: "true"
  annotations: {filebeat.enabled: "true", instrumentation.opentelemetry.io/inject-java: "true"}
  ownerReferences:
spec:
  serviceAccountName: web
  volumes:
  initContainers: null
  containers:
  - name: web
    image: nginx
    env:
    volumeMounts: ~
    ports:
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'podgraft-nulls-'));
  writeFileSync(join(folder, 'podgraft.yaml'), CONFIG);
  writeFileSync(join(folder, 'cluster.yaml'), CLUSTER);
});
afterAll(() => rmSync(folder, { recursive: true }));

const inject = (input: string) =>
  podgraft(['inject', '--cluster', 'cluster.yaml', '-f', '-'], { cwd: folder, input });

test('injects into keys without a value as if they were absent', async () => {
  const { code, stdout, stderr } = await inject(POD);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const added of ['AWS_ROLE_ARN', 'name: filebeat\n', 'JAVA_TOOL_OPTIONS', 'name: istio-proxy'])
    expect(stdout).toContain(added);
  expect((await inject(stdout)).stdout).toBe(stdout);
});

test.each(['Pod', 'CronJob'])('a setting that an injector leaves out is not printed: %s', async (kind) => {
  const pod = {
    metadata: { name: 'web', annotations: { 'filebeat.enabled': 'true' } },
    spec: {
      resources: { limits: { cpu: '1', memory: '1Gi' } },
      restartPolicy: 'Never',
      containers: [{ name: 'a', image: 'nginx' }],
    },
  };
  const object =
    kind === 'Pod'
      ? { apiVersion: 'v1', kind, ...pod }
      : {
          apiVersion: 'batch/v1',
          kind,
          metadata: { name: 'web' },
          spec: { schedule: '0 0 * * *', jobTemplate: { spec: { template: pod } } },
        };
  writeFileSync(join(folder, 'shared.yaml'), `${STAMP}  - {name: logs, use: filebeat}\n`);
  const input = JSON.stringify(object);
  for (const format of ['yaml', 'json', 'patch']) {
    const args = ['inject', '-f', '-', '--config', 'shared.yaml', '-o', format];
    const { code, stdout, stderr } = await podgraft(args, { cwd: folder, input });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('filebeat');
    expect(stdout).not.toContain('undefined');
  }
});
