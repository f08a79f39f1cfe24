import type { StringMap } from '../../kube/kube-object.ts';
import type { AnnotationName } from './annotation-keys.ts';
import { quoted } from './parsed.ts';
import { type PreStop, toPreStop } from './pre-stop.ts';
import type { SaidResources } from './resources.ts';
import type { Settings } from './settings.ts';
import * as kinds from './value-kinds.ts';

/** What a Pod asks for: its annotations, and the settings where they say nothing. */
export interface Wishes {
  readonly logPath: kinds.LogPath;
  readonly configMap: string;
  readonly image: string;
  readonly worker: string;
  readonly bulkMaxSize: string;
  readonly resources: SaidResources;
  readonly preStop: PreStop;
  /** Annotations that cannot be read: which, what they say and what is allowed. */
  readonly problems: readonly string[];
}

/** Reads all annotations, so that one refusal tells everything there is to mend. */
export function readAnnotations(annotations: StringMap, settings: Settings): Wishes {
  const problems: string[] = [];

  function read<T, F>(name: AnnotationName, kind: kinds.ValueKind<T>, fallback: F): T | F {
    const key = settings.keys[name];
    // In a file it may be a number still.
    const text: unknown = annotations[key];
    if (text === undefined) return fallback;
    const parsed = typeof text === 'string' ? kind(text) : { expected: 'a text in quotes' };
    if ('value' in parsed) return parsed.value;
    problems.push(`annotation "${key}" is ${quoted(text)}, expected ${parsed.expected}`);
    return fallback;
  }

  const { lifecycle } = settings;
  const type = read('lifecycle.type', kinds.lifecycleType, lifecycle.type);
  const exec = { command: read('lifecycle.exec.command', kinds.command, lifecycle.exec.command) };
  const httpGet = {
    path: read('lifecycle.httpget.path', kinds.urlPath, lifecycle.httpget.path),
    port: read('lifecycle.httpget.port', kinds.port, lifecycle.httpget.port),
    scheme: read('lifecycle.httpget.scheme', kinds.scheme, lifecycle.httpget.scheme),
  };
  const amounts = (list: 'requests' | 'limits') => ({
    cpu: read(`resources.${list}.cpu`, kinds.quantity, undefined),
    memory: read(`resources.${list}.memory`, kinds.quantity, undefined),
  });
  return {
    logPath: read('log-path', kinds.logPath, settings.logPath),
    configMap: read('configmap', kinds.configMapName, settings.configMap),
    image: read('image', kinds.image, settings.image),
    worker: read('worker', kinds.positiveInteger, settings.worker),
    bulkMaxSize: read('bulk-max-size', kinds.integer, settings.bulkMaxSize),
    resources: { requests: amounts('requests'), limits: amounts('limits') },
    preStop: toPreStop(type === 'exec' ? { exec } : { httpGet }),
    problems,
  };
}
