import * as v from 'valibot';
import { stable } from '../../json/stable.ts';
import { metadataProblems } from '../../kube/metadata-problems.ts';
import { configFrom } from '../../sdk/config.ts';
import { defineInjector } from '../../sdk/injector.ts';
import { overlay } from '../../sdk/verdict.ts';

const strings = v.record(v.string(), v.string());

export const metadata = defineInjector({
  name: 'metadata',
  summary: 'Adds labels and annotations where they are not set',
  idempotent: true,
  match: { kinds: ['*'], operations: ['*'] },
  config: configFrom(
    v.pipe(
      v.strictObject({ labels: v.exactOptional(strings), annotations: v.exactOptional(strings) }),
      v.check(
        ({ labels, annotations }) => labels !== undefined || annotations !== undefined,
        'expected "labels" or "annotations"',
      ),
      v.transform((wanted) => stable({ metadata: wanted })),
    ),
  ),
  wishes: (config) => config,
  check: ({ metadata }) => metadataProblems(metadata),
  inject: (_object, { config }) => overlay(config),
});
