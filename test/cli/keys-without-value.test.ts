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
