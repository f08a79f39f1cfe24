import { expect, it } from 'vitest';
import { parseConfigText } from '../config/load-config.ts';
import { missingRules } from './missing-rules.ts';

const pipelineOf = async (matches: readonly string[], more = '') => {
  const entries = matches.map(
    (match, index) => `  - {name: i${index}, use: metadata, match: ${match}, with: {labels: {a: b}}}`,
  );
  const text = `apiVersion: podgraft.dev/v1alpha1\nkind: Config\ninjectors:\n${entries.join('\n')}\n${more}`;
  return (await parseConfigText(text, 'podgraft.yaml')).pipeline;
};
const PODS = '{kinds: [Pod]}';
const PAID = '{kinds: [Pod], namespaceSelector: {matchLabels: {plan: paid}}}';
const FREE = '{kinds: [Pod], namespaceSelector: {matchLabels: {plan: free}}}';
const NAMED = '{kinds: [Pod], namespaces: [shop]}';

it.each([
  ['the same', [PODS], [PODS], []],
  ['an injector less', [PODS, '{kinds: [Service]}'], [PODS], []],
  ['a new kind', [PODS], [PODS, '{kinds: [Deployment]}'], ['CREATE deployments.apps']],
  ['a new operation', ['{kinds: [Service]}'], ['{kinds: [Service], operations: ["*"]}'], ['UPDATE services']],
  ['a kind, after all kinds', ['{kinds: ["*"]}'], ['{kinds: [Service]}'], []],
  ['a selector where there was none', [PODS], [PAID], []],
  ['no selector where there was one', [PAID], [PODS], ['other selectors or conditions of pods']],
  ['another selector', [PAID], [FREE], ['other selectors or conditions of pods']],
  ['no condition where there was one', [NAMED], [PODS], ['other selectors or conditions of pods']],
])('%s', async (_, registered, wanted, missing) => {
  expect(missingRules(await pipelineOf(registered), await pipelineOf(wanted))).toEqual(missing);
});

it('names namespaces that were excluded', async () => {
  const [before, now] = [
    await pipelineOf([PODS]),
    await pipelineOf([PODS], 'exclude: {namespaces: [kube-system]}'),
  ];
  expect(missingRules(before, now)).toEqual(['namespace kube-public', 'namespace kube-node-lease']);
});
