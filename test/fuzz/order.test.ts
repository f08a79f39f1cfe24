import { expect, test } from 'vitest';
import { type Answer, answerReview, type ReviewOptions } from '../../src/admission/answer-review.ts';
import { applyPatch } from '../../src/json/apply-patch.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/json/json.ts';
import type { Patch } from '../../src/json/operation.ts';
import { reviewText } from './check-review.ts';
import { CHOICES, configurationOf, files } from './configurations.ts';
import { type Random, randomFrom } from './random.ts';
import { usualCluster } from './random-cluster.ts';
import { NAMESPACES, randomPod } from './random-object.ts';

const COMPARISONS = Number(process.env.FUZZ_ORDERS ?? 2000);
/** Containers with a name that an injector uses for its own: their owner depends on the order. */
const OWN_NAMES = /"name":"(istio-|opentelemetry|otel-|otc-|filebeat|agent|helper|aws-|eks-)/;

/** What docs/configuration.md says about the order of injectors. */
const DOCUMENTED: readonly RegExp[] = [
  // Istio's templates describe the Pod as it is when they run.
  /^\/spec\/(initContainers|containers)\/istio-proxy\/env\/(ISTIO_METAJSON_ANNOTATIONS|CONTAINERS|PORTS)\/value$/,
  /^\/metadata\/annotations\/proxy\.istio\.io\/overrides$/,
  // Its key `podgraft.dev/before` lists the containers that the Pod had at that time.
  /^\/metadata\/annotations\/sidecar\.istio\.io\/status$/,
  // Copies of an application's image, environment, mounts and security context.
  /^\/spec\/initContainers\/otel-agent-source-container-clone(-nginx)?\/(image$|env|volumeMounts)/,
  /^\/spec\/initContainers\/opentelemetry-auto-instrumentation-[a-z]+\/securityContext\//,
  // An overlay's expressions read an image that a mutator replaces.
  /^\/spec\/containers\/web\/env\/IMAGE_OF\/value$/,
  /^\/spec\/imagePullSecrets(\/regcred)?$/,
  // Two injectors fill the same field: the first one wins.
  /^\/spec\/(initContainers|containers)\/(istio-proxy|filebeat)\/resources\/requests/,
  // The template "extra" puts a container in front, which is then the first one.
  /^\/spec\/containers\/[^/]+\/(env\/(OTEL_|JAVA_TOOL_OPTIONS)|volumeMounts$|volumeMounts\/\/otel-auto)/,
  /^\/metadata\/annotations\/kubectl\.kubernetes\.io\/default-logs-container$/,
  // The module of a web server is for the first container that an annotation names; a mutator may add it.
  /^\/spec\/containers\/[^/]+\/env\/LD_LIBRARY_PATH$/,
  /^\/spec\/containers\/[^/]+\/volumeMounts\/\/(opt\/opentelemetry-webserver\/agent|etc\/nginx|usr\/local\/apache2\/conf)$/,
];

test(`the order of injectors matters only as documented: ${COMPARISONS} comparisons`, () => {
  const cluster = usualCluster();
  const unexpected = new Set<string>();
  let compared = 0;
  let different = 0;
  for (let index = 0; compared < COMPARISONS; index++) {
    const random = randomFrom(index, 3);
    const pod = randomPod(random);
    if (OWN_NAMES.test(JSON.stringify(pod))) continue;
    compared++;
    const choices = oneOfEach(random);
    const namespace = random.pick(NAMESPACES);
    const [one, other] = [choices, random.shuffled(choices)].map((those) =>
      resultOf(pod, namespace, { pipeline: configurationOf(those).pipeline, cluster, files }),
    ) as [Json, Json];
    const places = differences(one, other, '');
    if (places.length > 0) different++;
    for (const place of places)
      if (!DOCUMENTED.some((known) => known.test(place))) unexpected.add(`${index}: ${place}`);
  }
  console.info(`${different} of ${compared} results depend on the order of injectors`);
  expect([...unexpected]).toEqual([]);
});

function oneOfEach(random: Random): typeof CHOICES {
  const shuffled = random.shuffled(CHOICES);
  return shuffled.filter(({ use }, index) => shuffled.findIndex((choice) => choice.use === use) === index);
}

function resultOf(pod: object, namespace: string, options: ReviewOptions): Json {
  const text = reviewText(pod, namespace);
  const { response } = JSON.parse((answerReview(Buffer.from(text), options) as Answer).body) as {
    response: { allowed: boolean; patch?: string };
  };
  if (!response.allowed) return 'denied';
  const { request } = JSON.parse(text) as { request: { object: JsonObject } };
  if (response.patch === undefined) return request.object;
  return applyPatch(request.object, JSON.parse(Buffer.from(response.patch, 'base64').toString()) as Patch);
}

/** The places that differ. The order of list items, which follows that of the injectors, does not count. */
function differences(one: Json | undefined, other: Json | undefined, path: string): string[] {
  if (isJsonObject(one) && isJsonObject(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...keys].flatMap((key) => differences(one[key], other[key], `${path}/${key}`));
  }
  if (isJsonArray(one) && isJsonArray(other)) {
    const [ours, theirs] = [byKey(one), byKey(other)];
    const keys = new Set([...ours.keys(), ...theirs.keys()]);
    return [...keys].flatMap((key) => differences(ours.get(key), theirs.get(key), `${path}/${key}`));
  }
  return JSON.stringify(one) === JSON.stringify(other) ? [] : [path];
}

function byKey(items: readonly Json[]): ReadonlyMap<string, Json> {
  return new Map(
    items.map((item) => [
      isJsonObject(item) ? String(item.mountPath ?? item.name ?? JSON.stringify(item)) : JSON.stringify(item),
      item,
    ]),
  );
}
