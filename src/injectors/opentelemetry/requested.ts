import {
  CONTAINER_NAMES,
  INJECT,
  INJECT_PREFIX,
  isFalse,
  LANGUAGE_CONTAINER_NAMES,
  textOf,
} from './annotations.ts';
import { LANGUAGES, type LanguageName } from './language-name.ts';
import { annotation, type Subject } from './subject.ts';

/** A language that is to be injected. */
export interface Requested {
  readonly language: LanguageName;
  /** Which Instrumentation is meant: "true", a name, or a namespace and a name. */
  readonly instance: string;
  /** The containers that are meant; empty for the default one. */
  readonly containers: readonly string[];
}

/** The languages that annotations ask for, as far as they can be told apart; what cannot be done is a problem. */
export function requestedLanguages(subject: Subject): readonly Requested[] {
  const { options, problems } = subject;
  const requests: Requested[] = [];
  for (const language of mentionedLanguages(subject)) {
    const instance = annotation(subject, INJECT[language]);
    if (instance === '' || isFalse(instance)) continue;
    if (!options.languages.has(language)) {
      problems.push(`${language} is not injected: it is not among the languages that are switched on here`);
      continue;
    }
    const containers = containersFor(language, subject);
    if (containers === undefined) return [];
    requests.push({ language, instance, containers });
  }
  if (!options.multiInstrumentation || requests.length === 0) return requests;
  const chosen = withoutOutvoted(requests, subject);
  const problem = ambiguity(chosen);
  if (problem === undefined) return chosen;
  problems.push(`nothing is instrumented: ${problem}`);
  return [];
}

/** Those with an annotation at all. Most Pods have none, and nobody should have to look for each in turn. */
function mentionedLanguages({ podAnnotations, namespaceAnnotations }: Subject): readonly LanguageName[] {
  const mentioned: LanguageName[] = [];
  for (const annotations of [podAnnotations, namespaceAnnotations]) {
    for (const key in annotations) {
      if (!key.startsWith(INJECT_PREFIX)) continue;
      const language = LANGUAGES.find((name) => INJECT[name] === key);
      if (language !== undefined && !mentioned.includes(language)) mentioned.push(language);
    }
  }
  return mentioned.sort((one, other) => LANGUAGES.indexOf(one) - LANGUAGES.indexOf(other));
}

/** The lists of one language; undefined, with a problem, where one cannot be read. */
function containersFor(language: LanguageName, subject: Subject): readonly string[] | undefined {
  const shared = namesIn(CONTAINER_NAMES, subject);
  if (!subject.options.multiInstrumentation) return shared;
  const own = namesIn(LANGUAGE_CONTAINER_NAMES[language], subject);
  return shared && own && [...shared, ...own];
}

function namesIn(key: string, subject: Subject): readonly string[] | undefined {
  const text = annotation(subject, key);
  if (text.trim() === '') return [];
  const names = text
    .split(',')
    .map((part) => part.trim())
    .filter((name) => name !== '');
  if (names.length > 0 && names.every((name) => /^[a-zA-Z0-9-]+$/.test(name))) return names;
  subject.problems.push(
    `nothing is instrumented: annotation "${key}" is "${text}", expected names of containers, separated by commas`,
  );
  return undefined;
}

/**
 * Where nobody says which container is for which language, the one that the Pod asks for itself counts, and not those
 * that its Namespace asks for on behalf of all.
 */
function withoutOutvoted(requests: readonly Requested[], { podAnnotations }: Subject): readonly Requested[] {
  if (requests.length < 2 || requests.some(({ containers }) => containers.length > 0)) return requests;
  const own = requests.filter(({ language }) => textOf(podAnnotations, INJECT[language]) !== '');
  return own.length === 1 ? own : requests;
}

/** Why it cannot be told which container is meant for which language. */
function ambiguity(requests: readonly Requested[]): string | undefined {
  for (const { language, containers } of requests) {
    const twice = containers.find((name, index) => containers.indexOf(name) !== index);
    if (twice !== undefined) return `container "${twice}" is named twice for ${language}`;
  }
  const unnamed = requests.filter(({ containers }) => containers.length === 0);
  if (requests.length === 1 || unnamed.length === 0) return undefined;
  const keys = unnamed.map(({ language }) => `"${LANGUAGE_CONTAINER_NAMES[language]}"`);
  return `${requests.map(({ language }) => language).join(' and ')} are asked for, but not into which containers: set annotation ${keys.join(' and ')}`;
}
