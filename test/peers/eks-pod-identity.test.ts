import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { filesView } from '../../src/cluster/views/files-view.ts';
import { textFiles } from '../../src/files/text-files.ts';
import { findAccount, UNKNOWN_ACCOUNT } from '../../src/injectors/pod-identity/account.ts';
import { parseIdentities } from '../../src/injectors/pod-identity/account-lists.ts';
import { podIdentity } from '../../src/injectors/pod-identity/pod-identity.ts';
import { readSettings } from '../../src/injectors/pod-identity/settings.ts';
import { applyPatch } from '../../src/json/apply-patch.ts';
import type { Json } from '../../src/json/json.ts';
import type { Container, Pod } from '../../src/kube/generated/types.ts';
import { asJson, type KubeObject } from '../../src/kube/kube-object.ts';
import { createPipeline } from '../../src/pipeline/pipeline.ts';
import { requestFor } from '../../src/pipeline/run-manifest.ts';
import { runPipeline } from '../../src/pipeline/run-pipeline.ts';
import type { Outcome } from '../../src/pipeline/trace.ts';
import { NO_CALLS } from '../../src/sdk/calls.ts';
import { createLog } from '../../src/server/log.ts';
import { createMetrics } from '../../src/server/metrics/metrics.ts';
import { type RunningServer, startServer } from '../../src/server/start-server.ts';
import { peersFolder } from './peers-folder.ts';

/** A folder with `case.json` and the files that it refers to. */
interface PeerCase {
  readonly id: string;
  readonly kind: 'pod-mutation' | 'http' | 'resolve' | 'credentials-file';
  readonly method: 'web-identity' | 'container-credentials';
  readonly folder: string;
  readonly flags: { readonly [flag: string]: unknown };
  readonly request: { readonly namespace: string };
  readonly lookup: { readonly namespace: string; readonly name: string };
  readonly containerCredentialsFile?: Json;
  readonly expect: {
    readonly expirationSeconds?: number | { readonly min: number; readonly max: number };
    readonly found?: boolean;
    readonly roleArn?: string;
    readonly audience?: string;
    readonly regionalSts?: boolean;
    readonly tokenExpiration?: number;
    readonly identities?: readonly { readonly namespace: string; readonly serviceAccount: string }[];
    readonly httpStatus?: number;
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly response?: { readonly uid: string; readonly allowed: boolean; readonly status?: object };
  };
}

const folder = peersFolder('eks-pod-identity');
const cases = folder === undefined ? [] : readCases(folder);
const ofKind = (kind: PeerCase['kind']) => cases.filter((each) => each.kind === kind);

describe.skipIf(folder === undefined)('the Amazon EKS Pod Identity Webhook', () => {
  it('has cases of every kind', () => {
    const kinds = new Set(cases.map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(['pod-mutation', 'http', 'resolve', 'credentials-file']));
  });

  it.each(ofKind('pod-mutation'))('produces the same Pod: $id', (peer) => {
    const pod = readObject(peer, 'pod.yaml');
    const expected = readJson(peer, 'expected-pod.json') as Pod;
    const outcome = run(peer, pod, peer.request.namespace, peer.containerCredentialsFile);
    if (!outcome.allowed) throw new Error(outcome.reason);
    const patched = applyPatch(asJson(pod), outcome.patch) as unknown as Pod;
    const { expirationSeconds } = peer.expect;
    if (typeof expirationSeconds === 'object') {
      expect(tokenOf(patched)?.expirationSeconds).toBeGreaterThanOrEqual(expirationSeconds.min);
      expect(tokenOf(patched)?.expirationSeconds).toBeLessThanOrEqual(expirationSeconds.max);
      Object.assign(tokenOf(patched) ?? {}, { expirationSeconds: tokenOf(expected)?.expirationSeconds });
    }
    expect(patched).toEqual(expected);
  });

  it.each(ofKind('resolve'))('resolves accounts in the same way: $id', (peer) => {
    const { lookup, method, expect: expected } = peer;
    const listed = { identities: [{ namespace: lookup.namespace, serviceAccount: lookup.name }] };
    const outcome = run(
      peer,
      podOf(lookup.name),
      lookup.namespace,
      method === 'container-credentials' ? listed : undefined,
    );
    if (!outcome.allowed) throw new Error(outcome.reason);
    expect(outcome.patch.length > 0).toBe(expected.roleArn !== '');
    if (expected.roleArn === '') return;
    const pod = outcome.object as unknown as Pod;
    const token = tokenOf(pod);
    if (expected.roleArn !== undefined) expect(envValue(pod, 'AWS_ROLE_ARN')).toBe(expected.roleArn);
    if (expected.audience !== undefined) expect(token?.audience).toBe(expected.audience);
    if (expected.tokenExpiration !== undefined) {
      expect(token?.expirationSeconds).toBe(expected.tokenExpiration);
    }
    if (expected.regionalSts !== undefined) {
      expect(envValue(pod, 'AWS_STS_REGIONAL_ENDPOINTS')).toBe(expected.regionalSts ? 'regional' : undefined);
    }
  });

  // Such an account leaves no trace in a Pod, so the test compares the lookup and the reason.
  const withoutRole = ofKind('resolve').filter(({ expect: { roleArn } }) => roleArn === '');
  it.each(withoutRole)('resolves accounts without a role in the same way: $id', (peer) => {
    const { lookup, expect: expected } = peer;
    const request = requestFor(podOf(lookup.name), createIn(lookup.namespace));
    const cluster = filesView(clusterOf(peer));
    const { config } = entryOf(peer.flags);
    const account = findAccount(lookup.name, {
      request,
      cluster,
      config,
      files: textFiles({}),
      calls: NO_CALLS,
    });
    const known = account.mapped ?? account.mappedAnywhere ?? account.own;
    const { roleArn, audience, regionalSts, expiration } = known ?? UNKNOWN_ACCOUNT;
    const shown = { roleArn, audience, regionalSts, tokenExpiration: expiration };
    expect({ found: known !== undefined, ...shown }).toMatchObject(expected);
    const { trace } = run(peer, podOf(lookup.name), lookup.namespace, undefined);
    const end = account.own === undefined ? 'not found' : 'has no role';
    const reason = `ServiceAccount "${lookup.namespace}/${lookup.name}" ${end}`;
    expect(trace).toMatchObject([{ decision: 'skipped', reason }]);
  });

  it.each(ofKind('credentials-file'))('parses the file in the same way: $id', (peer) => {
    const identities = parseIdentities(readFileSync(join(peer.folder, 'credentials-file.txt'), 'utf8'));
    const expected = peer.expect.identities?.map((each) => `${each.namespace}/${each.serviceAccount}`);
    expect([...identities]).toEqual(expected);
  });

  describe('over HTTP', () => {
    let server: RunningServer;
    const valid = ofKind('http').find(({ expect: { response } }) => response?.allowed);

    beforeAll(async () => {
      server = await startServer({
        pipeline: createPipeline([entryOf(valid?.flags ?? {})]),
        cluster: filesView(valid === undefined ? [] : [readObject(valid, 'serviceaccount.yaml')]),
        port: 0,
        metrics: createMetrics(new Set(['Pod'])),
        log: createLog('silent'),
      });
    });
    afterAll(() => server.drain());

    const post = async (peer: PeerCase) => {
      const sent = readJson(peer, 'request.json') as { path: string; contentType: string; body: string };
      const answer = await fetch(`http://127.0.0.1:${server.port}${sent.path}`, {
        method: 'POST',
        headers: { 'content-type': sent.contentType },
        body: sent.body,
      });
      return { status: answer.status, text: await answer.text() };
    };
    it.each(ofKind('http'))('answers in the same way: $id', async (peer) => {
      const { status, text } = await post(peer);
      expect(status).toBe(peer.expect.httpStatus);
      const { apiVersion, kind, response } = peer.expect;
      if (response === undefined) return;
      const review = JSON.parse(text) as { response: { patch: string } };
      // The texts of errors differ, and a denial may omit apiVersion and kind.
      const { status: _, ...binding } = response;
      expect(review).toMatchObject({ ...(apiVersion && { apiVersion, kind }), response: binding });
      if (!response.allowed) return;
      const patch = JSON.parse(Buffer.from(review.response.patch, 'base64').toString());
      const pod = readObject(peer, 'pod.yaml');
      expect(applyPatch(asJson(pod), patch)).toEqual(readJson(peer, 'expected-pod.json'));
    });
  });
});

function run(peer: PeerCase, pod: KubeObject, namespace: string, identities: Json | undefined): Outcome {
  const path = '/identities.json';
  const watched = identities === undefined ? {} : { 'watch-container-credentials-config': path };
  const entry = entryOf({ ...peer.flags, ...watched }, peer.expect.roleArn);
  const request = requestFor(pod, createIn(namespace));
  const files = textFiles(identities === undefined ? {} : { [path]: JSON.stringify(identities) });
  return runPipeline(createPipeline([entry]), request, pod, filesView(clusterOf(peer)), files);
}

function createIn(namespace: string) {
  return { operation: 'CREATE', namespace, username: 'test' } as const;
}

/** A later state of the ConfigMap replaces an earlier one, as in a live view. */
function clusterOf(peer: PeerCase): KubeObject[] {
  const files = ['serviceaccount.yaml', 'configmap-before.yaml', 'configmap.yaml'];
  return files.filter((file) => existsSync(join(peer.folder, file))).map((file) => readObject(peer, file));
}

function entryOf(flags: PeerCase['flags'], composedArn = '') {
  const camelCase = (flag: string) => flag.replace(/-./g, ([, letter]) => letter?.toUpperCase() ?? '');
  const raw = Object.fromEntries(Object.entries(flags).map(([flag, value]) => [camelCase(flag), value]));
  // The original reads them from instance metadata; here they are settings.
  const [, partition, , , accountId] = composedArn.split(':');
  const instance = raw.composeRoleArn === true ? { accountId, partition } : {};
  return { name: 'aws', injector: podIdentity, config: readSettings({ ...raw, ...instance }) };
}

function podOf(serviceAccountName: string): KubeObject {
  const spec = { serviceAccountName, containers: [{ name: 'web', image: 'nginx' }] };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec };
}

function tokenOf(pod: Pod) {
  return pod.spec?.volumes?.[0]?.projected?.sources?.[0]?.serviceAccountToken;
}

function envValue(pod: Pod, name: string): string | undefined {
  const [container] = pod.spec?.containers ?? ([] as Container[]);
  return container?.env?.find((entry) => entry.name === name)?.value;
}

function readCases(root: string): PeerCase[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(root, entry.name))
    .map((path) => ({ ...JSON.parse(readFileSync(join(path, 'case.json'), 'utf8')), folder: path }));
}

function readObject({ folder }: PeerCase, file: string): KubeObject {
  return parse(readFileSync(join(folder, file), 'utf8')) as KubeObject;
}

function readJson({ folder }: PeerCase, file: string): unknown {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}
