import { expect, test } from 'vitest';
import { parseIdentities } from './identities.ts';

test('lists namespace and name of each account', () => {
  const text = '{"identities": [{"namespace": "a", "serviceAccount": "b", "more": 1}], "version": 2}';
  expect([...parseIdentities(text)]).toEqual(['a/b']);
});

test('does not care about the case of names, as Go does not', () => {
  const text = '{"Identities": [{"Namespace": "a", "serviceaccount": "b"}]}';
  expect([...parseIdentities(text)]).toEqual(['a/b']);
});

test.each(['', 'null', '{}', '{"identities": null}', '{"identities": []}'])('%j lists nobody', (text) => {
  expect(parseIdentities(text).size).toBe(0);
});

test.each(['{"identities": [', ' ', '[]', '{"identities": {}}', '{"identities": [{"namespace": "a"}]}'])(
  '%j is broken',
  (text) => {
    expect(() => parseIdentities(text)).toThrow();
  },
);
