import { afterAll, describe, expect, it } from 'vitest';
import { randomFrom } from '../../fuzz/random.ts';
import { expectAgreement, SEEDS } from '../differential.ts';
import { oracle as kubernetes } from '../kubernetes/judge-stored-pod.ts';
import { DEPARTURES } from './departures.ts';
import { judge, oracle, validity } from './judge-pod.ts';
import { collectorCase, oddCase, plainCase } from './random-cases.ts';
import { NEWER } from './without-newer.ts';

afterAll(() => {
  oracle?.stop();
  kubernetes?.stop();
});

const suite = (name: string) => ({ system: 'opentelemetry', name, notCompared: Object.keys(NEWER) });

describe.skipIf(oracle === undefined || kubernetes === undefined)('The OpenTelemetry operator', () => {
  it.each(SEEDS)('agrees on instrumented Pods, with %s', async (_, seed) => {
    const equal = await expectAgreement(
      { generate: plainCase, judge, refused: validity.take },
      suite('languages'),
      seed,
    );
    expect(equal).toBeGreaterThanOrEqual(0.995);
  });

  it.each(SEEDS)('agrees on collectors as sidecars, with %s', async (_, seed) => {
    const equal = await expectAgreement(
      { generate: collectorCase, judge, refused: validity.take },
      suite('collectors as sidecars'),
      seed,
    );
    expect(equal).toBeGreaterThanOrEqual(0.95);
  });

  it.each(SEEDS)('differs only as documented, with %s', async (_, seed) => {
    await expectAgreement(
      { generate: oddCase, judge, refused: validity.take },
      suite('documented departures'),
      seed,
    );
  });

  it.each(Object.entries(DEPARTURES))('still needs the rule: %s', async (reason, { change }) => {
    expect(await judge(change(plainCase(randomFrom(1, 0))))).toEqual({ departure: reason });
  });
});
