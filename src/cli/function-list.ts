import { type Config, parseConfigText } from '../config/load-config.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { Operation } from '../json/operation.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { Message } from './message.ts';
import type { InputDocument, InputFile } from './read-input.ts';

/**
 * Whether a document is the input of a KRM function, as kustomize and kpt send it: a ResourceList, whose `items` are read like those
 * of any List (https://github.com/kubernetes-sigs/kustomize/blob/master/cmd/config/docs/api-conventions/functions-spec.md).
 */
export function isFunctionList({ yaml: { value } }: InputDocument): boolean {
  return (
    isJsonObject(value) && value.kind === 'ResourceList' && value.apiVersion === 'config.kubernetes.io/v1'
  );
}

/** The configuration in `functionConfig`: a Config, or a ConfigMap that has one as `podgraft.yaml`. */
export async function functionConfigIn(files: readonly InputFile[]): Promise<Config | undefined> {
  const list = files.flatMap(({ documents }) => documents).find(isFunctionList)?.yaml.value;
  const config = isJsonObject(list) ? list.functionConfig : undefined;
  const text = isJsonObject(config) ? configText(config) : undefined;
  if (text === undefined) return undefined;
  try {
    return await parseConfigText(text, 'functionConfig');
  } catch (error) {
    if (!(error instanceof PodgraftError)) throw error;
    // The list was made by a program: its lines mean nothing to the user.
    throw new PodgraftError(
      'CONFIG_INVALID',
      error.message.replaceAll(/^functionConfig:\d+:/gm, 'functionConfig:'),
      {
        cause: error,
      },
    );
  }
}

function configText({ kind, metadata: _, ...config }: JsonObject): string | undefined {
  if (kind === 'Config') return JSON.stringify({ kind, ...config });
  const text = kind === 'ConfigMap' && isJsonObject(config.data) ? config.data['podgraft.yaml'] : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** Adds the messages to a ResourceList as its `results`. */
export function resultsOperation(
  { yaml: { value } }: InputDocument,
  messages: readonly Message[],
): Operation[] {
  if (messages.length === 0) return [];
  const previous =
    isJsonObject(value) && Array.isArray(value.results) ? (value.results as readonly Json[]) : [];
  return [{ op: 'add', path: '/results', value: [...previous, ...messages.map(resultOf)] }];
}

function resultOf({ severity, text, input }: Message): Json {
  if (input === undefined) return { message: text, severity };
  const { apiVersion, kind, metadata } = input.object;
  const { name = '', namespace, annotations = {} } = metadata;
  const path = annotations['internal.config.kubernetes.io/path'] ?? annotations['config.kubernetes.io/path'];
  return {
    message: text,
    severity,
    resourceRef: { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) },
    ...(path !== undefined && { file: { path } }),
  };
}
