import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { overlay as injector } from '../../src/injectors/overlay/overlay.ts';
import { policiesOf } from '../../src/manifests/policies/policies.ts';
import { createPipeline } from '../../src/pipeline/pipeline.ts';
import { validatePolicy } from '../../src/policy/validate-policy.ts';
import { randomConditionalOverlay, randomOverlay } from './random-overlay.ts';

beforeAll(() => injector.prepare?.({ variables: { any: 'true' } }));

const name = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.constantFrom('team', '_a1', 'a-b', 'for', 'in', 'remaining', 'constructor', '__proto__', 'ä'),
);
const variables = fc
  .uniqueArray(name, { maxLength: 4 })
  .map((names) => Object.fromEntries(names.map((each, index) => [each, String(index)])));
const overlay = fc.oneof(randomOverlay, randomConditionalOverlay);

it('the API server accepts every generated object', () => {
  let generated = 0;
  const property = fc.property(
    overlay,
    variables,
    fc.constantFrom('fail', 'skip'),
    (given, named, onError) => {
      const config = injector.config?.({ overlay: given, variables: named });
      if (config === undefined || config.issues.length > 0) return;
      const pipeline = createPipeline([
        { name: 'test', injector, config, onError: onError as 'fail' | 'skip' },
      ]);
      const { objects } = policiesOf(pipeline, { name: 'podgraft', action: 'Deny' });
      generated += objects.length;
      for (const object of objects) expect(validatePolicy(object)).toEqual([]);
    },
  );
  fc.assert(property, { seed: 14, numRuns: Number(process.env.RUNS ?? 300) });
  expect(generated).toBeGreaterThan(100);
});
