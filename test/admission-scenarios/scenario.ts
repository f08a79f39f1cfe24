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
  return (JSON.parse(readFileSync(`${folder}/scenarios.json`, 'utf8')) as { scenarios: Scenario[] })
    .scenarios;
}
