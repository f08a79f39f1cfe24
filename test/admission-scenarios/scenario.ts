import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../src/json/json.ts';

/** A scenario that was played against a real API server, with what was observed. The data's own `about` explains the format. */
export interface Scenario {
  readonly name: string;
  readonly topic: string;
  readonly deterministic?: false;
  readonly plugins: string;
  readonly setup?: readonly ScenarioRequest[];
  readonly configs: readonly JsonObject[];
  readonly hooks?: { readonly [path: string]: HookBehaviour | readonly HookBehaviour[] };
  readonly requests?: readonly ScenarioRequest[];
  readonly observed: {
    readonly results?: readonly ScenarioResult[];
    readonly configRejected?: { readonly status: number; readonly body: JsonObject };
  };
}

export interface ScenarioRequest {
  readonly method?: string;
  readonly path?: string;
  readonly contentType?: string;
  readonly user?: string;
  readonly body?: JsonObject;
}

/** How a test webhook answers. Null removes a field. */
export interface HookBehaviour {
  readonly allowed?: boolean;
  readonly patch?: readonly unknown[] | string;
  readonly patchType?: string | null;
  readonly status?: JsonObject;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: JsonObject;
  readonly responseOverrides?: JsonObject;
  readonly reviewOverrides?: JsonObject;
  readonly contentType?: string;
  /** Instead of a review; `$UID` is replaced. */
  readonly raw?: string | JsonObject;
  readonly httpStatus?: number;
  readonly headers?: { readonly [name: string]: string };
  readonly delayMs?: number;
  readonly destroy?: boolean;
}

export interface ScenarioResult {
  /** 0 if the connection was closed without an answer. */
  readonly status: number;
  readonly body: unknown;
  readonly calls: readonly JsonObject[];
  readonly auditAnnotations?: { readonly [key: string]: string };
  readonly warnings?: readonly string[];
}

export function readScenarios(folder: string): readonly Scenario[] {
  const { scenarios } = JSON.parse(readFileSync(`${folder}/scenarios.json`, 'utf8')) as {
    scenarios: Scenario[];
  };
  return scenarios.map(({ observed, ...inputs }) => ({
    ...(expanded(inputs) as Omit<Scenario, 'observed'>),
    observed,
  }));
}

/** Long texts and lists were recorded in part, `LLL<... 5000 characters>`: what is missing repeats the last part. */
function expanded(value: unknown): unknown {
  if (typeof value === 'string') {
    const [, start = '', count] = /^(.*)<\.\.\. (\d+) characters>$/s.exec(value) ?? [];
    return count === undefined ? value : start.padEnd(Number(count), start.at(-1));
  }
  if (Array.isArray(value)) {
    const count = /^<\.\.\. (\d+) items>$/.exec(String(value.at(-1)))?.[1];
    if (count === undefined) return value.map(expanded);
    const items = value.slice(0, -1);
    return Array.from({ length: Number(count) }, (_, index) => items[Math.min(index, items.length - 1)]);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, expanded(child)]));
}
