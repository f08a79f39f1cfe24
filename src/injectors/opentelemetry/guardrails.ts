import {
  type DeepReadonly,
  isLess,
  matchesNamePattern,
  quoted,
  type ResourceRequirements,
  shortened,
} from '../../sdk/index.ts';
import type { LanguageName } from './annotations.ts';
import type { Options } from './options.ts';
import type { Collector } from './resources/collector.ts';
import type { InstrumentationSpec } from './resources/instrumentation.ts';

/** Whether a Pod may use a resource of another namespace. */
export function isShared(
  namespace: string,
  { sharedNamespaces }: Pick<Options, 'sharedNamespaces'>,
): boolean {
  return sharedNamespaces.some((pattern) => matchesNamePattern(pattern, namespace));
}

/** Why the configuration forbids a resource of another namespace. */
export function namespaceViolation(
  namespace: string,
  podNamespace: string,
  options: Options,
): string | undefined {
  if (namespace === podNamespace || isShared(namespace, options)) return undefined;
  return `resources of namespace ${quoted(namespace)} may not be used in others (option "sharedNamespaces")`;
}

/** Why the configuration forbids an agent as the Instrumentation describes it. */
export function agentViolation(
  language: LanguageName,
  spec: InstrumentationSpec,
  options: Options,
): string | undefined {
  if (language === 'sdk') return undefined;
  const { image, resources } = agentOf(language, spec);
  const images = language === 'java' ? spec.java.extensions.map((extension) => extension.image) : [];
  return imageViolation([image, ...images], options) ?? resourcesViolation(resources, options);
}

/** Why the configuration forbids a collector as its resource describes it. */
export function collectorViolation({ spec }: Collector, options: Options): string | undefined {
  const { initContainers } = spec;
  const images = [spec.image, ...initContainers.map(({ image }) => image)];
  const violation = imageViolation(images, options);
  if (violation !== undefined) return violation;
  for (const resources of [spec.resources, ...initContainers.map((container) => container.resources)]) {
    const excess = resourcesViolation(resources, options);
    if (excess !== undefined) return excess;
  }
  return undefined;
}

function agentOf(language: Exclude<LanguageName, 'sdk'>, spec: InstrumentationSpec) {
  if (language === 'java') return spec.java;
  const section = language === 'apache-httpd' ? spec.apacheHttpd : spec[language];
  return { image: section.image, resources: section.resourceRequirements };
}

/** The default image comes from the configuration, and is always allowed. */
function imageViolation(images: readonly (string | undefined)[], options: Options): string | undefined {
  const { allowedImages } = options;
  const forbidden = images.find(
    (image) => image && !allowedImages.some((pattern) => matchesNamePattern(pattern, image)),
  );
  return forbidden && `image ${quoted(forbidden)} is not allowed (option "allowedImages")`;
}

function resourcesViolation(
  { limits = {}, requests = {} }: DeepReadonly<ResourceRequirements> = {},
  { maxResources }: Options,
): string | undefined {
  for (const [name, most] of Object.entries(maxResources)) {
    for (const amounts of [limits, requests]) {
      const amount = Object.hasOwn(amounts, name) ? amounts[name] : undefined;
      if (isLess(most, amount))
        return `${name} of ${shortened(String(amount))} exceeds ${most} (option "maxResources")`;
    }
  }
  return undefined;
}
