import { quoted } from '../../sdk/index.ts';
import {
  CONTAINER_NAMES,
  containerNamesKey,
  injectKey,
  isRequested,
  LANGUAGES,
  type LanguageName,
} from './annotations.ts';
import { annotation, type Injection } from './injection.ts';

/** A language to inject. */
export interface LanguageRequest {
  readonly language: LanguageName;
  /** The Instrumentation to use: "true", NAME or NAMESPACE/NAME. */
  readonly instance: string;
  /** The names of the containers; empty for the default container. */
  readonly containers: readonly string[];
}

/** The languages that annotations request. Reports requests that are disabled or ambiguous as problems. */
export function languageRequests(injection: Injection): readonly LanguageRequest[] {
  const { options, problems } = injection;
  const requests: LanguageRequest[] = [];
  let shared: readonly string[] | undefined;
  for (const language of LANGUAGES) {
    const instance = annotation(injection, injectKey(language));
    if (!isRequested(instance)) continue;
    if (!options.languages.has(language)) {
      problems.push(`cannot inject ${language}: the language is not enabled in the configuration`);
      continue;
    }
    shared ??= namesIn(CONTAINER_NAMES, injection);
    const own = options.multiInstrumentation ? namesIn(containerNamesKey(language), injection) : NO_NAMES;
    if (shared === undefined || own === undefined) return [];
    const containers = shared.length === 0 ? own : [...shared, ...own];
    requests.push({ language, instance, containers });
  }
  if (!options.multiInstrumentation) return requests;
  const chosen = preferPodRequest(requests, injection);
  const problem = ambiguity(chosen);
  if (problem === undefined) return chosen;
  problems.push(`cannot instrument the Pod: ${problem}`);
  return [];
}

const NO_NAMES: readonly string[] = [];

/** Undefined, with a problem, if the annotation is invalid. */
function namesIn(key: string, injection: Injection): readonly string[] | undefined {
  const text = annotation(injection, key);
  if (text.trim() === '') return NO_NAMES;
  const parts = text.split(',').map((part) => part.trim());
  const names = parts.filter((name) => name !== '');
  if (names.length > 0 && names.every((name) => /^[a-zA-Z0-9-]+$/.test(name))) return names;
  injection.problems.push(
    `cannot instrument the Pod: annotation "${key}" is ${quoted(text)}, expected comma-separated container names`,
  );
  return undefined;
}

/** Without container names, a single language that the Pod requests itself takes precedence over those of its Namespace. */
function preferPodRequest(
  requests: readonly LanguageRequest[],
  { podAnnotations }: Injection,
): readonly LanguageRequest[] {
  if (requests.some(({ containers }) => containers.length > 0)) return requests;
  const own = requests.filter(({ language }) => podAnnotations[injectKey(language)]);
  return own.length === 1 ? own : requests;
}

/** Why it is unclear which containers are meant for which language. */
function ambiguity(requests: readonly LanguageRequest[]): string | undefined {
  for (const { language, containers } of requests) {
    if (containers.length < 2) continue;
    const seen = new Set<string>();
    const duplicate = containers.find((name) => seen.size === seen.add(name).size);
    if (duplicate !== undefined) return `duplicate container name ${quoted(duplicate)} for ${language}`;
  }
  const unnamed = requests.filter(({ containers }) => containers.length === 0);
  if (requests.length < 2 || unnamed.length === 0) return undefined;
  const languages = requests.map(({ language }) => language).join(' and ');
  const keys = unnamed.map(({ language }) => `"${containerNamesKey(language)}"`).join(' and ');
  return `${languages} need container names: set annotation ${keys}`;
}
