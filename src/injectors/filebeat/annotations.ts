import { cacheByTexts, type StringMap } from '../../sdk/index.ts';
import { atMost, type Check, onlyAllowedPaths, onlyMatching } from './allowed.ts';
import { parseLogPath } from './log-path.ts';
import { sleepSeconds } from './pre-stop.ts';
import type { Settings } from './settings.ts';
import * as parsers from './value-parsers.ts';

/** Far more than any real value has, and less than Linux allows for a variable (MAX_ARG_STRLEN). */
const MAX_LENGTH = 32 * 1024;

/** How a Pod wants its sidecar: its annotations, with the settings as defaults. */
export type Options = ReturnType<typeof readAnnotations>;

/** Cached: the Pods of a workload have the same annotations, and each Pod is read twice. */
export function annotationReader(settings: Settings): (annotations: StringMap) => Options {
  const cached = cacheByTexts<Options>({ entries: 1000, keyLength: 4096 });
  const { annotationPrefix: prefix } = settings;
  return (annotations) => {
    const read = () => readAnnotations(annotations, settings);
    const texts: string[] = [];
    for (const key in annotations) {
      if (!key.startsWith(prefix)) continue;
      const text: unknown = annotations[key];
      // Invalid: in a manifest file it may still be a number.
      if (typeof text !== 'string') return read();
      texts.push(key, text);
    }
    return cached(texts, read);
  };
}

/** Reads every annotation before it reports problems, so that one denial lists them all. */
function readAnnotations(annotations: StringMap, settings: Settings) {
  const problems: string[] = [];
  const { annotationPrefix: prefix } = settings;
  const given = new Map<string, unknown>();
  for (const key in annotations)
    if (key.startsWith(prefix)) given.set(key.slice(prefix.length), annotations[key]);

  function read<T, F>(name: string, parse: parsers.Parser<T>, fallback: F, check?: Check<T>): T | F {
    const text = given.get(name);
    if (text === undefined) return fallback;
    const parsed = parseText(text, parse);
    const problem = 'value' in parsed ? check?.(parsed.value) : `expected ${parsed.expected}`;
    if (problem === undefined && 'value' in parsed) return parsed.value;
    problems.push(`annotation "${prefix}${name}" is ${parsers.quoted(text)}, ${problem}`);
    return fallback;
  }

  const { lifecycle, allowed } = settings;
  const type = read('lifecycle.type', parsers.lifecycleType, lifecycle.type);
  const isAllowedCommand = onlyMatching(allowed, 'commands');
  const exec = {
    command: read('lifecycle.exec.command', parsers.command, lifecycle.exec.command, (command) =>
      isAllowedCommand(command.join(',')),
    ),
  };
  const httpGet = {
    path: read('lifecycle.httpget.path', parsers.urlPath, lifecycle.httpget.path),
    port: read('lifecycle.httpget.port', parsers.port, lifecycle.httpget.port),
    scheme: read('lifecycle.httpget.scheme', parsers.scheme, lifecycle.httpget.scheme),
  };
  const amounts = (list: 'requests' | 'limits') => ({
    cpu: read(`resources.${list}.cpu`, parsers.quantity, undefined, atMost(allowed, 'cpu')),
    memory: read(`resources.${list}.memory`, parsers.quantity, undefined, atMost(allowed, 'memory')),
  });
  const preStop = type === 'exec' ? { exec } : { httpGet };
  return {
    logPath: read('log-path', parseLogPath, settings.logPath, onlyAllowedPaths(allowed)),
    configMap: read(
      'configmap',
      parsers.configMapName,
      settings.configMap,
      onlyMatching(allowed, 'configMaps'),
    ),
    image: read('image', parsers.image, settings.image, onlyMatching(allowed, 'images')),
    worker: read('worker', parsers.positiveInteger, settings.worker),
    bulkMaxSize: read('bulk-max-size', parsers.integer, settings.bulkMaxSize),
    /** Without defaults, which depend on the Pod. */
    resources: { requests: amounts('requests'), limits: amounts('limits') },
    lifecycle: { preStop },
    preStopSeconds: sleepSeconds(preStop),
    problems,
  };
}

function parseText<T>(text: unknown, parse: parsers.Parser<T>): parsers.Parsed<T> {
  if (typeof text !== 'string') return { expected: 'a quoted string' };
  return text.length > MAX_LENGTH ? { expected: `at most ${MAX_LENGTH} characters` } : parse(text);
}
