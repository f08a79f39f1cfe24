import * as v from 'valibot';
import { configFrom, defineInjector, metadataProblems, overlay } from '../../sdk/index.ts';
import { sample } from './sample.ts';

const strings = v.record(v.string(), v.string());

export const metadata = defineInjector({
  name: 'metadata',
  summary: 'Adds labels and annotations where they are not set',
  starter: `# match: {namespaceSelector: {matchLabels: {team: a}}}
with:
  labels: {}
  annotations: {injected-by: podgraft}
`,
  sample,
  match: { kinds: ['*'], operations: ['*'] },
  config: configFrom(
    v.pipe(
      v.strictObject({ labels: v.exactOptional(strings), annotations: v.exactOptional(strings) }),
      v.check(
        ({ labels, annotations }) => labels !== undefined || annotations !== undefined,
        'expected "labels" or "annotations"',
      ),
      v.transform((metadata) => ({ metadata })),
    ),
  ),
  check: ({ metadata }) => metadataProblems(metadata),
  asOverlay: (config) => ({ overlay: config }),
  inject: (_object, { config }) => overlay(config),
});
