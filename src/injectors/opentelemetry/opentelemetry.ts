import { builtin, configFrom, defineInjector, deny, overlay, type Request, skip } from '../../sdk/index.ts';
import { INJECT, isFalse, isTrue } from './annotations.ts';
import { COLLECTOR_RESOURCE } from './collector.ts';
import { addCollector } from './collector-sidecar.ts';
import { findInstrumentation, instanceOf } from './find-instrumentation.ts';
import { INSTRUMENTATION } from './instrumentation.ts';
import { LANGUAGES } from './language-name.ts';
import { languages } from './languages.ts';
import { type Options, optionsSchema } from './options.ts';
import { JOB, REPLICA_SET } from './owners.ts';
import { type PodPlan, planPod } from './pod-plan.ts';
import { type Requested, requestedLanguages } from './requested.ts';
import { type Subject, subjectOf } from './subject.ts';
import { targetsOf } from './targets.ts';

export const opentelemetry = defineInjector({
  name: 'opentelemetry',
  summary:
    'Instruments applications as annotations and Instrumentation resources of the OpenTelemetry operator say',
  idempotent: true,
  match: {},
  // Of all but our own resources it is enough to know their annotations and owners.
  reads: () => [
    ...[builtin('Namespace'), REPLICA_SET, JOB].map((ref) => ({ ...ref, fields: [] })),
    ...[INSTRUMENTATION, COLLECTOR_RESOURCE].map((ref) => ({ ...ref, fields: ['spec'] })),
  ],
  needs: namedInstrumentations,
  config: configFrom(optionsSchema),
  inject(pod, context) {
    const subject = subjectOf(pod, context);
    const plan = planPod(pod);
    const withCollector = addCollector(subject, plan);
    const requested = requestedLanguages(subject);
    for (const request of requested) instrument(request, subject, plan);

    const { problems, hints } = subject;
    if (subject.options.strict && problems.length > 0) return deny(problems.join('; '));
    const wanted = plan.overlay();
    const warnings = [...problems, ...hints];
    if (wanted !== undefined) return overlay(wanted, warnings);
    const isAsked = withCollector || requested.length > 0;
    return skip(problems[0] ?? (isAsked ? 'all that annotations ask for is there' : UNASKED), warnings);
  },
});

const UNASKED = 'no annotation asks for instrumentation or for a collector';

function instrument(request: Requested, subject: Subject, plan: PodPlan): void {
  const { language, instance } = request;
  const instrumentation = findInstrumentation(instance, language, subject);
  if ('problem' in instrumentation) {
    subject.problems.push(`${language} is not injected: ${instrumentation.problem}`);
    return;
  }
  languages[language].inject(targetsOf(request, subject), { subject, plan, instrumentation });
}

/** Those that a Pod names itself may have been created a moment before it. */
function namedInstrumentations({ object, namespace }: Request, _: Options) {
  const annotations = object?.metadata.annotations ?? {};
  return LANGUAGES.flatMap((language) => {
    const value = annotations[INJECT[language]] ?? '';
    if (value === '' || isTrue(value) || isFalse(value)) return [];
    return [{ ref: INSTRUMENTATION, ...instanceOf(value, namespace) }];
  });
}
