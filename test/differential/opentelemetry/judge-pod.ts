import { parse } from 'yaml';
import { filesView } from '../../../src/cluster/views/files-view.ts';
import { opentelemetry } from '../../../src/injectors/opentelemetry/opentelemetry.ts';
import { applyPatch } from '../../../src/json/apply-patch.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../src/json/json.ts';
import type { Patch } from '../../../src/json/operation.ts';
import { asJson, type KubeObject } from '../../../src/kube/kube-object.ts';
import { createPipeline } from '../../../src/pipeline/pipeline.ts';
import { requestFor } from '../../../src/pipeline/run-manifest.ts';
import { runPipeline } from '../../../src/pipeline/run-pipeline.ts';
import type { Outcome } from '../../../src/pipeline/trace.ts';
import { withApiDefaults } from '../../../src/testing/api-defaults.ts';
import { differences } from '../differences.ts';
import type { Judgement } from '../differential.ts';
import { startOracle } from '../start-oracle.ts';
import { countValidity } from '../validity.ts';
import { departure } from './departures.ts';
import { NAMESPACE, type OperatorCase } from './random-cases.ts';
import { withoutNewer } from './without-newer.ts';

export const oracle = startOracle('opentelemetry');
export const validity = countValidity();

/** Given to both systems, so that a new version of an agent is not a difference. */
const IMAGES = Object.fromEntries(
  ['java', 'nodejs', 'python', 'dotnet', 'go', 'apache-httpd', 'nginx', 'collector'].map((name) => [
    name,
    `registry.example/${name}:1`,
  ]),
);

interface Answer {
  readonly error?: string;
  readonly patch?: Patch;
  readonly objects?: readonly KubeObject[];
  readonly refused?: readonly string[];
}

/** Compares podgraft with the operator on one case. */
export async function judge(subject: OperatorCase): Promise<Judgement> {
  const pod = await canonical(asJson(subject.pod));
  const theirs = await ask(subject, pod);
  // The operator admits such a Pod as it was.
  const patched = applyPatch(pod, theirs.error === undefined ? (theirs.patch ?? []) : []) as JsonObject;
  const objects = subject.isStored ? (theirs.objects ?? []) : accepted(subject, theirs.refused ?? []);
  const run = podgraft(subject, objects);
  const ours = run(pod);
  if (!ours.allowed) return { difference: `only ours refuses: ${ours.reason}` };
  const result = await canonical(asJson(ours.object));
  const encoded = await canonical(patched);
  const stored = await validity.compare(result, encoded);
  // No departure justifies that.
  if (stored.problem !== undefined) return { difference: stored.problem };
  const isSame = differences(result, encoded).length === 0;
  const found = differences(comparable(result), comparable(encoded));
  const lines = [...found, ...again(run, result, 'a second run')];
  if (stored.ours !== undefined)
    lines.push(...again(run, stored.ours, "a run after the API server's defaults"));
  // A Pod that the operator has injected is left alone.
  if (isSame) lines.push(...again(run, patched, 'after the operator'));
  if (lines.length === 0) return 'equal';
  const why = theirs.error ?? '';
  const reasons = lines.map((line) => departure(line, { subject, theirs: why }));
  const unknown = lines.filter((_, at) => reasons[at] === undefined);
  if (unknown.length === 0) return { departure: [...new Set(reasons)].sort().join('; ') };
  return { difference: `(ours | theirs)\n${unknown.join('\n')}\n${why}` };
}

async function ask({ languages, multi, native, objects }: OperatorCase, pod: JsonObject): Promise<Answer> {
  const settings = { languages, multi, native, images: IMAGES };
  const answer = await oracle?.ask<Answer>({ settings, objects, namespace: NAMESPACE, pod });
  if (answer === undefined) throw new Error('no oracle');
  return answer;
}

/** Without those that the operator's webhooks reject. */
function accepted({ objects }: OperatorCase, refused: readonly string[]): readonly KubeObject[] {
  const names = refused.map((text) => text.split(':', 1)[0]);
  return objects.filter(({ metadata }) => !names.includes(`${metadata.namespace}/${metadata.name}`));
}

function podgraft({ languages, multi, native }: OperatorCase, objects: readonly KubeObject[]) {
  const config = opentelemetry.config?.({
    languages,
    multiInstrumentation: multi,
    sidecar: native ? 'native' : 'container',
    images: IMAGES,
  });
  const pipeline = createPipeline([{ name: 'opentelemetry', injector: opentelemetry, config }], []);
  const view = filesView(objects);
  return (pod: JsonObject): Outcome => {
    const object = pod as unknown as KubeObject;
    const request = requestFor(object, { operation: 'CREATE', namespace: NAMESPACE, username: 'test' });
    return runPipeline(pipeline, request, object, view);
  };
}

/** As Go encodes it. */
async function canonical(pod: JsonObject): Promise<JsonObject> {
  const answer = await oracle?.ask<{ pods?: readonly JsonObject[]; error?: string }>({ pods: [pod] });
  const [encoded] = answer?.pods ?? [];
  if (encoded === undefined) throw new Error(answer?.error ?? 'no oracle');
  return encoded;
}

/** As the API server stores it, without what is not compared. */
function comparable(pod: JsonObject): Json {
  return withParsedConfig(withApiDefaults(withoutNewer(pod)));
}

/** The collector's configuration is YAML, which is compared by meaning. */
function withParsedConfig(value: Json): Json {
  if (isJsonArray(value)) return value.map(withParsedConfig);
  if (!isJsonObject(value)) return value;
  if (value.name === 'OTEL_CONFIG' && typeof value.value === 'string')
    return { name: value.name, value: parse(value.value) as Json };
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withParsedConfig(child)]));
}

function again(run: (pod: JsonObject) => Outcome, pod: JsonObject, when: string): readonly string[] {
  const outcome = run(pod);
  if (!outcome.allowed) return [`${when}: refused`];
  return outcome.patch.length === 0 ? [] : [`${when}: ${JSON.stringify(outcome.patch).slice(0, 600)}`];
}
