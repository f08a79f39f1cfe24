import { expect, test } from 'vitest';
import type { ReviewOptions } from '../../src/admission/answer-review.ts';
import { createMark } from '../../src/admission/mark.ts';
import { type Broken, checkBytes, checkObject, type ReviewKind, reviewText } from './check-review.ts';
import { files, randomConfiguration } from './configurations.ts';
import { randomFrom } from './random.ts';
import { randomBytes } from './random-bytes.ts';
import { randomCluster } from './random-cluster.ts';
import { NAMESPACES, randomObject } from './random-object.ts';
import { shrink } from './shrink.ts';

const seed = Number(process.env.FUZZ_SEED ?? 1);
const runs = Number(process.env.FUZZ_RUNS ?? 20_000);
/** Repeats one object of an earlier run. */
const only = process.env.FUZZ_ONLY === undefined ? undefined : Number(process.env.FUZZ_ONLY);
const MOST_FAILURES = Number(process.env.FUZZ_FAILURES ?? 5);
/** Objects with the same cluster and the same few configurations: reading Istio's ConfigMaps takes a while. */
const BLOCK = 100;
const CONFIGURATIONS = 4;
/** A million objects take an hour. */
const PROGRESS = 50_000;

interface Block {
  readonly index: number;
  readonly configurations: readonly { readonly name: string; readonly options: ReviewOptions }[];
}

function blockAt(index: number): Block {
  const random = randomFrom(seed, index, 1);
  const cluster = randomCluster(random);
  return {
    index,
    configurations: Array.from({ length: CONFIGURATIONS }, () => {
      const { name, pipeline } = randomConfiguration(random);
      const fingerprints = new Map(pipeline.stages.map((stage) => [stage.name, 'f1']));
      const mark = random.chance(0.5) ? createMark(fingerprints) : undefined;
      return { name, options: { pipeline, cluster, files, mark } };
    }),
  };
}

test(`${runs} objects, seed ${seed}`, () => {
  const failures = new Map<string, string>();
  let changed = 0;
  let block = blockAt(0);
  const started = Date.now();
  for (let index = only ?? 0; index < (only === undefined ? runs : only + 1); index++) {
    if (index > 0 && index % PROGRESS === 0) console.info(`${index} objects, ${failures.size} failures`);
    const blockIndex = Math.floor(index / BLOCK);
    if (block.index !== blockIndex) block = blockAt(blockIndex);
    const random = randomFrom(seed, index, 2);
    const { name, options } = random.pick(block.configurations);
    const namespace = random.pick(NAMESPACES);
    const object = randomObject(random);
    const kind: ReviewKind = random.chance(0.1)
      ? { operation: 'UPDATE', oldObject: random.chance(0.5) ? object : randomObject(random) }
      : {};
    try {
      if (random.chance(0.05)) checkBytes(randomBytes(random, reviewText(object, namespace)), options);
      else if (checkObject(object, namespace, options, kind)) changed++;
    } catch (error) {
      const key = faultOf(error);
      if (failures.has(key)) continue;
      const text = report(index, name, namespace, object, options, kind, error);
      failures.set(key, text);
      // A long run may be ended before its end.
      console.info(text);
      if (failures.size >= MOST_FAILURES) break;
    }
  }
  const seconds = Math.round((Date.now() - started) / 1000);
  console.info(`${runs} objects in ${seconds} s, ${changed} changed`);
  expect([...failures.values()].join('\n\n')).toBe('');
  expect(only !== undefined || changed > runs / 10).toBe(true);
});

/** Objects that fail in the same way count once. */
function faultOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/\d+/g, '0')
    .slice(0, 200);
}

function report(
  index: number,
  name: string,
  namespace: string,
  object: object,
  options: ReviewOptions,
  kind: ReviewKind,
  error: unknown,
): string {
  const key = faultOf(error);
  const fails = (candidate: object) => {
    try {
      checkObject(candidate, namespace, options, kind);
      return false;
    } catch (cause) {
      return faultOf(cause) === key;
    }
  };
  const smallest = fails(object) ? shrink(object, fails) : object;
  const { message, cause } = error as Broken;
  return [
    `FUZZ_SEED=${seed} FUZZ_ONLY=${index} npm run fuzz`,
    `injectors: ${name}; namespace: ${namespace}`,
    message.slice(0, 1000),
    cause instanceof Error ? ((cause.cause as Error | undefined)?.stack?.slice(0, 1500) ?? cause.stack) : '',
    JSON.stringify(smallest).slice(0, 4000),
  ].join('\n');
}
