import type { Json, JsonObject } from '../json/json.ts';

/** What the page shows of one object's admission: plain data, the same live, replayed and in a self-contained file. */
export interface RunView {
  readonly request: RequestSummary;
  /** `changed` by someone other than the API server itself. `failed`: an injector threw; the stops show whether it was stored. */
  readonly verdict: 'changed' | 'unchanged' | 'denied' | 'failed';
  /** The message of the API server or the injector. */
  readonly denial?: {
    readonly code: number;
    readonly reason: string;
    readonly message: string;
    readonly by?: string;
  };
  readonly warnings: readonly string[];
  /** YAML as it was sent, and as it would be stored, without the API server's defaults where it came from a file. */
  readonly before: string;
  readonly after: string;
  /** Every place that differs between the two, with its owner. Lines count from 1. */
  readonly changes: readonly ChangeView[];
  readonly kept: readonly KeptView[];
  /** Every injector, also those that did nothing. */
  readonly injectors: readonly InjectorView[];
  /** The stops of the request, in order. */
  readonly stops: readonly StopView[];
}

export interface RequestSummary {
  readonly uid: string;
  /** ISO 8601. */
  readonly time: string;
  readonly operation: string;
  readonly kind: string;
  readonly namespace: string;
  /** `generateName` with a star where there is no name. */
  readonly name: string;
  readonly user: string;
  readonly dryRun: boolean;
  readonly milliseconds: number;
}

export interface ChangeView {
  /** A JSON Pointer into the result, or into the object as sent for what was removed. */
  readonly pointer: string;
  /** For display: `spec.containers[app].env[HOME]`. */
  readonly path: string;
  readonly type: 'added' | 'replaced' | 'removed';
  /** Injector, policy, webhook or plug-in. */
  readonly owner: string;
  /** The owner is a plug-in of the API server itself, such as ServiceAccount. */
  readonly isPlugin?: true;
  readonly reason: string;
  /** Lines of `after`; absent for what was removed. */
  readonly lines?: readonly [first: number, last: number];
  readonly before?: Json;
}

export interface KeptView {
  readonly path: string;
  readonly owner: string;
  readonly wanted: Json;
  /** The field that was wanted in place of the one at `path`. */
  readonly wantedField?: string;
  readonly found: Json;
}

export interface InjectorView {
  readonly name: string;
  readonly use: string;
  readonly outcome: 'changed' | 'unchanged' | 'skipped' | 'not matched' | 'denied' | 'failed' | 'off';
  /** Why: the injector's reason, or why it was not called. */
  readonly reason: string;
}

/** One stop of a request: authentication, …, a policy, a webhook, the schema, storage. */
export interface StopView {
  readonly id: string;
  readonly phase: 'before' | 'mutating' | 'schema' | 'validating' | 'stored';
  readonly round: number;
  readonly title: string;
  readonly outcome: 'passed' | 'changed' | 'skipped' | 'denied' | 'failed' | 'not reached';
  /** Why it was skipped, denied or failed; what it did otherwise. */
  readonly detail: string;
  readonly milliseconds: number;
  /** What was sent and answered, for webhooks. */
  readonly review?: JsonObject;
  readonly answer?: Json;
  readonly patch?: readonly Json[];
  /** YAML of the object, where the stop changed it. */
  readonly before?: string;
  readonly after?: string;
  /** Findings of `lint` and `verify` about this webhook. */
  readonly findings?: readonly FindingView[];
}

export interface FindingView {
  readonly rule: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
}

/** `GET api/state`: everything besides runs. */
export interface PageState {
  /** `requests` is the page of a production server: the list of requests alone. */
  readonly mode: 'playground' | 'requests' | 'file';
  readonly version: string;
  readonly configuration?: ConfigurationView;
  readonly samples: readonly { readonly title: string; readonly injector: string; readonly yaml: string }[];
  /** `export KUBECONFIG=…`, with a real control plane. */
  readonly kubeconfig?: string;
}

export interface ConfigurationView {
  readonly file: string;
  /** In order, as the file has them. */
  readonly injectors: readonly { readonly name: string; readonly use: string; readonly summary: string }[];
  /** A broken file does not take effect; the last good one is used. */
  readonly error?: string;
}

/** `POST api/run`: one or more YAML documents. The injectors named are off, or in another order, for this run only. */
export interface RunRequest {
  readonly yaml: string;
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly off?: readonly string[];
  readonly order?: readonly string[];
}

/**
 * The answer: a view per object, a workload followed by the Pod that its controller would create; or the errors in the text.
 * Lines and columns count from 1.
 */
export type RunAnswer =
  | { readonly runs: readonly RunView[] }
  | {
      readonly errors: readonly {
        readonly line: number;
        readonly column: number;
        readonly message: string;
      }[];
    };

/** `GET api/requests`: newest first. `GET api/requests/UID` has its `RunView`. */
export interface RequestItem extends RequestSummary {
  readonly verdict: RunView['verdict'];
  /** Those that changed something, denied or failed. */
  readonly injectors: readonly string[];
}

/**
 * `GET api/events`, server-sent: `request` has a RequestItem, `state` a PageState (the configuration, a module or the cluster's
 * files changed).
 */
export interface PageEvents {
  readonly request: RequestItem;
  readonly state: PageState;
}
