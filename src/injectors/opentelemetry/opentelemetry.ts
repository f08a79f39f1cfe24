import {
  builtin,
  type Context,
  configFrom,
  type DeepReadonly,
  defineInjector,
  deny,
  firstMessages,
  isObjectName,
  type ObjectRef,
  overlay,
  type Pod,
  skip,
} from '../../sdk/index.ts';
import { injectKey, instanceOf, isRequested, isTrue, LANGUAGES } from './annotations.ts';
import { addCollector } from './collector/collector-sidecar.ts';
import { isShared } from './guardrails.ts';
import { startInjection, texts } from './injection.ts';
import { instrument } from './instrument.ts';
import { languageRequests } from './language-requests.ts';
import { type Options, optionsSchema } from './options.ts';
import { JOB, REPLICA_SET } from './owners.ts';
import { COLLECTOR } from './resources/collector.ts';
import { INSTRUMENTATION } from './resources/instrumentation.ts';
import { resourceDefinitions } from './resources/resource-definitions.ts';
import { sample } from './sample.ts';

export const opentelemetry = defineInjector({
  name: 'opentelemetry',
  summary:
    'Instruments applications by annotations and Instrumentation resources, like the OpenTelemetry operator',
  starter: `# Pods request it by annotation, such as instrumentation.opentelemetry.io/inject-java: "true".
with:
  languages: [java, nodejs, python, dotnet, sdk]
`,
  sample,
  match: {},
  reads: () => [
    // Only their metadata is used.
    ...[builtin('Namespace'), REPLICA_SET, JOB].map((ref) => ({ ...ref, fields: [] })),
    ...[INSTRUMENTATION, COLLECTOR].map((ref) => ({ ...ref, fields: ['spec'] })),
  ],
  needs: namedInstrumentations,
  crds: resourceDefinitions,
  config: configFrom(optionsSchema),
  inject(pod, context) {
    const injection = startInjection(pod, context);
    const withCollector = addCollector(injection);
    const requests = languageRequests(injection);
    for (const request of requests) instrument(request, injection);

    const { denials, advice, options, plan } = injection;
    if (denials.length > 0) return deny(firstMessages(denials).join('; '));
    const problems = firstMessages(injection.problems);
    if (options.strict && problems.length > 0) return deny(problems.join('; '));
    const additions = plan.overlay();
    const warnings = [...problems, ...firstMessages(advice)];
    if (additions !== undefined) return overlay(additions, warnings);
    const isDone = withCollector || requests.length > 0;
    return skip(problems[0] ?? (isDone ? ALREADY_INJECTED : NOT_REQUESTED), warnings);
  },
});

const NOT_REQUESTED = 'no annotation requests instrumentation or a collector';
const ALREADY_INJECTED = 'everything that the annotations request is already present';

/** Instrumentations that a Pod names itself may have been created just before it. */
function namedInstrumentations(
  pod: DeepReadonly<Pod>,
  { request, config }: Pick<Context<Options>, 'request' | 'config'>,
): readonly ObjectRef[] {
  const annotations = texts(pod.metadata?.annotations);
  return LANGUAGES.flatMap((language) => {
    const value = annotations[injectKey(language)] ?? '';
    if (!isRequested(value) || isTrue(value)) return [];
    const { namespace, name } = instanceOf(value, request.namespace);
    const isReadable = namespace === request.namespace || isShared(namespace, config);
    // The names become part of a URL.
    if (!isReadable || !isObjectName(namespace) || !isObjectName(name)) return [];
    return [{ ref: INSTRUMENTATION, namespace, name }];
  });
}
