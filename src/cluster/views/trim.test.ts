import { expect, it } from 'vitest';
import { builtin } from '../../kube/resource.ts';
import { trimFor } from './trim.ts';

const NODE = builtin('Node');
const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n', managedFields: [{}] },
  spec: { podCIDR: '10.0.0.0/24' },
  status: { nodeInfo: { kubeletVersion: 'v1.36.0' }, images: [{ names: ['nginx'] }] },
};
const head = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } };

it.each([
  ['only metadata', [], {}],
  ['a field', ['spec'], { spec: node.spec }],
  ['a field of a field', ['status.nodeInfo'], { status: { nodeInfo: node.status.nodeInfo } }],
  [
    'the whole of a field that is named whole and in part',
    ['status.nodeInfo', 'status'],
    { status: node.status },
  ],
  ['nothing of a missing field', ['data', 'spec.nothing', 'metadata.name'], { spec: {} }],
])('keeps %s', (_, fields, kept) => {
  expect(trimFor(NODE, [{ ...NODE, fields }])(node)).toEqual({ ...head, ...kept });
});

it('keeps the fields that are read of an object by name, and of other objects those that are read of all', () => {
  const trim = trimFor(NODE, [
    { ...NODE, fields: [] },
    { ...NODE, name: 'n', fields: ['spec'] },
  ]);
  expect(trim(node)).toHaveProperty('spec');
  expect(trim({ ...node, metadata: { name: 'other' } })).not.toHaveProperty('spec');
});
