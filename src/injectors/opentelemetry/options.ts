import * as v from 'valibot';
import { LANGUAGES, type LanguageName } from './annotations.ts';
import { strictInstrumentationSpec } from './resources/instrumentation.ts';
import { quantity } from './resources/schema.ts';

/** Go needs a privileged container and nginx works with few versions only, so both have to be enabled. */
const DEFAULT_LANGUAGES = LANGUAGES.filter((name) => name !== 'go' && name !== 'nginx');

const image = (path: string) => v.optional(v.string(), `ghcr.io/open-telemetry/${path}`);
const agentImage = (tag: string) => image(`opentelemetry-operator/autoinstrumentation-${tag}`);

export const optionsSchema = v.strictObject({
  languages: v.optional(
    v.pipe(
      v.array(v.picklist(LANGUAGES)),
      v.transform((names): ReadonlySet<LanguageName> => new Set(names)),
    ),
    DEFAULT_LANGUAGES,
  ),
  multiInstrumentation: v.optional(v.boolean(), true),
  sidecar: v.optional(v.picklist(['container', 'native', 'auto']), 'auto'),
  /** Deny instead of warn. */
  strict: v.optional(v.boolean(), false),
  /** Patterns of namespaces whose Instrumentations and OpenTelemetryCollectors Pods of all namespaces may name. */
  sharedNamespaces: v.optional(v.array(v.string()), ['*']),
  /** Patterns of images that Instrumentations and OpenTelemetryCollectors may set. */
  allowedImages: v.optional(v.array(v.string()), ['*']),
  /** The largest requests and limits that they may set, by resource. */
  maxResources: v.optional(v.record(v.string(), quantity), {}),
  /** Used if the Instrumentation or OpenTelemetryCollector does not set an image. */
  images: v.optional(
    v.strictObject({
      java: agentImage('java:2.30.0'),
      nodejs: agentImage('nodejs:0.78.0'),
      python: agentImage('python:0.64b0'),
      dotnet: agentImage('dotnet:1.16.0'),
      go: image('opentelemetry-go-instrumentation/autoinstrumentation-go:v0.24.0'),
      'apache-httpd': agentImage('apache-httpd:1.0.4'),
      // One image has the modules of both web servers.
      nginx: agentImage('apache-httpd:1.0.4'),
      collector: image('opentelemetry-collector-releases/opentelemetry-collector:0.158.0'),
    }),
    {},
  ),
  /** Replace Instrumentation resources; one without a namespace applies to every namespace. */
  instrumentations: v.optional(
    v.array(
      v.strictObject({
        name: v.optional(v.string(), 'default'),
        namespace: v.optional(v.string()),
        spec: v.optional(strictInstrumentationSpec, {}),
      }),
    ),
    [],
  ),
});

export type Options = v.InferOutput<typeof optionsSchema>;
