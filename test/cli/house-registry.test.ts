import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { podgraft } from '../podgraft-process.ts';

/** An overlay with all that expressions offer: conditions, parameters, variables, `item`, conditional items and values. */
const CONFIG = `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
- name: house-registry
  use: overlay
  match:
    conditions: ["object.metadata.?labels['tier'].orValue('') != 'system'"]     # also printed as matchConditions of the webhook, so that the API server does not even call
  with:
    params: {kind: ConfigMap, name: registry-map, namespace: platform}           # an object of the cluster, read as \`params\`
    variables: {team: "object.metadata.?labels['team'].orValue('none')"}
    overlay:
      metadata: {labels: {team: {$cel: variables.team}}}
      spec:
        imagePullSecrets: [{$when: "object.spec.containers.exists(c, c.image.startsWith('reg.example.com/'))", name: regcred}]
        containers:
          - name: "*"
            $when: "item.image.startsWith('docker.io/')"
            image: {$force: {$cel: "'mirror.example.com/' + item.image"}}
        volumes:
          - name: "*"
            $when: "has(item.emptyDir)"
            emptyDir: {sizeLimit: 1Gi}
`;
const REGISTRY_MAP = `apiVersion: v1
kind: ConfigMap
metadata: {name: registry-map, namespace: platform}
data: {mirror: mirror.example.com}
`;

const cwd = mkdtempSync(join(tmpdir(), 'podgraft-house-registry-'));
afterAll(() => rmSync(cwd, { recursive: true }));
writeFileSync(join(cwd, 'podgraft.yaml'), CONFIG);
writeFileSync(join(cwd, 'registry-map.yaml'), REGISTRY_MAP);
const inject = (input: string, ...args: string[]) => podgraft(['inject', '-f', '-', ...args], { cwd, input });
const WITH_MAP = ['--cluster', 'registry-map.yaml'];

const PODS = `apiVersion: v1
kind: Pod
metadata:
  name: web
  labels: {team: shop}
spec:
  containers:
    - {name: web, image: docker.io/nginx:1.27}
    - {name: app, image: reg.example.com/app:2}
  volumes:
    - {name: cache, emptyDir: {}}
    - {name: small, emptyDir: {sizeLimit: 1Mi}}
    - {name: settings, configMap: {name: settings}}
---
apiVersion: v1
kind: Pod
metadata:
  name: plain
spec:
  containers:
    - {name: own, image: quay.example.com/own:1}
---
apiVersion: v1
kind: Pod
metadata:
  name: dns
  labels: {tier: system}
spec:
  containers:
    - {name: dns, image: docker.io/dns:1}
`;

const INJECTED = `apiVersion: v1
kind: Pod
metadata:
  name: web
  labels: {team: shop}
spec:
  containers:
    - {name: web, image: mirror.example.com/docker.io/nginx:1.27}
    - {name: app, image: reg.example.com/app:2}
  volumes:
    - {name: cache, emptyDir: {sizeLimit: 1Gi}}
    - {name: small, emptyDir: {sizeLimit: 1Mi}}
    - {name: settings, configMap: {name: settings}}
  imagePullSecrets:
    - name: regcred
---
apiVersion: v1
kind: Pod
metadata:
  name: plain
  labels:
    team: none
spec:
  containers:
    - {name: own, image: quay.example.com/own:1}
---
apiVersion: v1
kind: Pod
metadata:
  name: dns
  labels: {tier: system}
spec:
  containers:
    - {name: dns, image: docker.io/dns:1}
`;

test('the overlay changes what its expressions say, and nothing else', async () => {
  const { code, stdout, stderr } = await inject(PODS, ...WITH_MAP);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout).toBe(INJECTED);
});

test('a second run changes nothing', async () => {
  const { stdout } = await inject(PODS, ...WITH_MAP);
  expect((await inject(stdout, ...WITH_MAP)).stdout).toBe(stdout);
});

test('without its parameters the overlay does nothing, with a warning', async () => {
  const { code, stdout, stderr } = await inject(PODS);
  expect(code).toBe(0);
  expect(stderr).toBe(
    'warning: injector "house-registry": params: ConfigMap "platform/registry-map" not found\n',
  );
  expect(stdout).toBe(PODS);
});
