import { expect, test } from 'vitest';
import type { JsonObject } from '../json/json.ts';
import { clusterObjects } from '../policy/cluster-objects.ts';
import { matchWebhook } from './match-webhook.ts';
import { type ChainRequest, resolveRequest } from './request.ts';
import { type Webhook, webhooksOf } from './webhook.ts';

const RULE = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const cluster = clusterObjects([
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a', labels: { team: 'a' } } },
]);

function pod(namespace = 'a', labels: JsonObject = { app: 'web' }): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace, labels }, spec: {} };
}

function match(webhook: JsonObject, request: ChainRequest = { object: pod() }) {
  const configuration = {
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'c' },
    webhooks: [{ name: 'w.example.com', rules: [RULE], ...webhook }],
  };
  const [found] = webhooksOf([configuration], 'mutating');
  const attributes = resolveRequest(request, cluster.customResource);
  return matchWebhook(found as Webhook, attributes, { configurations: [], cluster });
}

test('matches by its rules, with the resource of the request', () => {
  expect(match({})).toEqual({
    resource: { group: '', version: 'v1', resource: 'pods' },
    isEquivalent: false,
  });
});

test.each([
  ['rules', { rules: [{ ...RULE, operations: ['UPDATE'] }] }],
  ['rules', { rules: [{ ...RULE, resources: ['pods/status'] }] }],
  ['rules', { rules: [{ ...RULE, scope: 'Cluster' }] }],
  ['namespaceSelector', { namespaceSelector: { matchLabels: { team: 'b' } } }],
  ['objectSelector', { objectSelector: { matchLabels: { app: 'db' } } }],
  ['matchConditions', { matchConditions: [{ name: 'no', expression: "object.metadata.name == 'q'" }] }],
])('is skipped because of its %s: %j', (because, webhook) => {
  expect(match(webhook as JsonObject)).toMatchObject({ outcome: 'skipped', because });
});

test('an objectSelector matches the new or the old labels', () => {
  const update = { object: pod('a', {}), oldObject: pod() };
  const webhook = {
    objectSelector: { matchLabels: { app: 'web' } },
    rules: [{ ...RULE, operations: ['UPDATE'] }],
  };
  expect(match(webhook, update)).toHaveProperty('resource');
});

test('a condition that fails is a rejection under Fail, and skips the webhook under Ignore', () => {
  const matchConditions = [{ name: 'broken', expression: "object.metadata.annotations['x'] == 'y'" }];
  expect(match({ matchConditions })).toMatchObject({ status: { code: 403, reason: 'Forbidden' } });
  expect(match({ matchConditions, failurePolicy: 'Ignore' })).toMatchObject({
    because: 'matchConditions failed',
  });
});

test('a false condition takes precedence over a failing one', () => {
  const matchConditions = [
    { name: 'broken', expression: "object.metadata.annotations['x'] == 'y'" },
    { name: 'never', expression: 'false' },
  ];
  expect(match({ matchConditions })).toMatchObject({ because: 'matchConditions' });
});

test('a namespace that does not exist is an error only if the rules match', () => {
  const namespaceSelector = { matchLabels: { team: 'a' } };
  const request = { object: pod('missing') };
  expect(match({ namespaceSelector }, request)).toMatchObject({ status: { code: 404 } });
  const others = { namespaceSelector, rules: [{ ...RULE, resources: ['secrets'] }] };
  expect(match(others, request)).toMatchObject({ because: 'rules' });
});

test('an equivalent resource matches unless matchPolicy is Exact', () => {
  const object = {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'h', namespace: 'a' },
  };
  const rules = [
    { ...RULE, apiGroups: ['autoscaling'], apiVersions: ['v2'], resources: ['horizontalpodautoscalers'] },
  ];
  expect(match({ rules }, { object })).toMatchObject({ isEquivalent: true, resource: { version: 'v2' } });
  expect(match({ rules, matchPolicy: 'Exact' }, { object })).toMatchObject({ because: 'rules' });
});

test('webhook configurations and policies never reach webhooks', () => {
  const object = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p' },
  };
  const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];
  expect(match({ rules }, { object })).toMatchObject({ because: 'exempt' });
});
