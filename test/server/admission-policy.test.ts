import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/json/json.ts';
import { changed, POLICIES, settings } from '../policies/admission-policies.ts';
import { call, patchOf, responseOf, withRequest } from './fixtures.ts';
import { type WatchedCluster, watchedCluster } from './watched-cluster.ts';

const CONFIG = `
apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors: [{name: policies, use: admission-policy, with: {params: [ConfigMap]}}]
`;

const DATA = { team: 'till', pool: 'blue', registry: 'reg.example.com/' };

describe('policies of the cluster', () => {
  let cluster: WatchedCluster;
  beforeEach(async () => {
    cluster = await watchedCluster(CONFIG, { objects: [...POLICIES, settings(DATA)] });
  });
  afterEach(() => cluster.stop());

  async function review(path: string, change: { metadata?: object; image?: string; spec?: object } = {}) {
    const { metadata, image = 'reg.example.com/web:1', spec } = change;
    const object = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', namespace: 'shop', ...metadata },
      spec: { containers: [{ name: 'app', image }], ...spec },
    };
    const body = JSON.stringify(withRequest({ name: 'web', object }));
    return call(cluster.server.port, `${path}?timeout=10s`, body);
  }
  const mutated = async (metadata: object = {}) => patchOf(await review('/mutate', { metadata }));
  /** Of the Pod as the mutating policy leaves it. */
  async function validated({ team = 'till-s', annotations = {}, image = 'reg.example.com/web:1' } = {}) {
    const env = [{ name: 'TEAM', value: team }];
    const spec = { nodeSelector: { pool: 'blue' }, containers: [{ name: 'app', image, env }] };
    const answer = await review('/validate', { metadata: { labels: { team }, annotations }, spec });
    return responseOf(answer) as unknown as JsonObject;
  }

  it('change a Pod on /mutate by the parameters of a ConfigMap', async () => {
    expect(await mutated()).toEqual([
      { op: 'add', path: '/metadata/labels', value: { team: 'till-s' } },
      { op: 'add', path: '/spec/containers/0/env', value: [{ name: 'TEAM', value: 'till-s' }] },
      { op: 'add', path: '/spec/nodeSelector', value: { pool: 'blue' } },
    ]);
  });

  it('are skipped where a match condition is false', async () => {
    expect(await mutated({ labels: { plain: '' } })).toEqual([]);
  });

  it('reject a Pod on /validate, with the message of the API server and audit annotations', async () => {
    expect(await validated({ image: 'docker.io/web:1' })).toMatchObject({
      allowed: false,
      status: {
        code: 403,
        message:
          "pods \"web\" is forbidden: ValidatingAdmissionPolicy 'house-registry' with binding 'house-registry' denied request: images must come from reg.example.com/: app",
      },
      warnings: [expect.stringContaining("'house-owner'")],
      auditAnnotations: {
        'house-registry.team': 'till-s',
        validation_failure: expect.stringContaining('"policy":"house-owner"'),
      },
    });
  });

  it('warn and audit on /validate without rejecting', async () => {
    expect(await validated()).toMatchObject({
      allowed: true,
      warnings: [
        "Validation failed for ValidatingAdmissionPolicy 'house-owner' with binding 'house-owner': annotation \"owner\" is missing",
      ],
      auditAnnotations: { validation_failure: expect.stringContaining('annotation \\"owner\\" is missing') },
    });
    expect(await validated({ annotations: { owner: 'ann' } })).not.toHaveProperty('warnings');
  });

  it('also reject a Pod on /validate that lacks what they would add', async () => {
    const { status } = responseOf(await review('/validate')) as { status?: { message: string } };
    expect(status?.message).toContain('injector "policies" would still change "/metadata/labels"');
  });

  it('take effect without a restart when their parameters change, and fail when they are gone', async () => {
    cluster.put(settings({ ...DATA, team: 'desk' }));
    await expect.poll(mutated).toContainEqual({
      op: 'add',
      path: '/metadata/labels',
      value: { team: 'desk-s' },
    });
    cluster.remove(settings({}));
    await expect
      .poll(async () => responseOf(await review('/mutate')))
      .toMatchObject({
        allowed: false,
        status: { message: expect.stringContaining('no params found for policy binding') },
      });
  });

  it('take effect without a restart when they change', async () => {
    const mutation = {
      patchType: 'ApplyConfiguration',
      applyConfiguration: { expression: "Object{metadata: Object.metadata{labels: {'changed': 'yes'}}}" },
    };
    cluster.put(changed('MutatingAdmissionPolicy', 'house-team', () => ({ mutations: [mutation] })));
    const patch = [{ op: 'add', path: '/metadata/labels', value: { changed: 'yes' } }];
    await expect.poll(mutated).toEqual(patch);
    const nobody = { expression: 'false', message: 'closed' };
    cluster.put(changed('ValidatingAdmissionPolicy', 'house-registry', () => ({ validations: [nobody] })));
    await expect
      .poll(async () => responseOf(await review('/validate', { metadata: { labels: { changed: 'yes' } } })))
      .toMatchObject({
        allowed: false,
        status: { message: expect.stringMatching(/denied request: closed$/) },
      });
  });

  it('take effect without a restart when their bindings change', async () => {
    const elsewhere = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'elsewhere' } } };
    cluster.put(
      changed('MutatingAdmissionPolicyBinding', 'house-team', () => ({ matchResources: elsewhere })),
      changed('ValidatingAdmissionPolicyBinding', 'house-owner', () => ({ validationActions: ['Deny'] })),
    );
    await expect.poll(mutated).toEqual([]);
    await expect
      .poll(validated)
      .toMatchObject({ allowed: false, status: { message: expect.stringContaining("'house-owner'") } });
    cluster.remove(changed('ValidatingAdmissionPolicyBinding', 'house-owner', () => ({})));
    await expect.poll(validated).toMatchObject({ allowed: true });
  });
});
