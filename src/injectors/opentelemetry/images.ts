const AGENTS = 'ghcr.io/open-telemetry/opentelemetry-operator/autoinstrumentation-';

/** Used where an Instrumentation or OpenTelemetryCollector names no image. */
export const DEFAULT_IMAGES = {
  java: `${AGENTS}java:2.30.0`,
  nodejs: `${AGENTS}nodejs:0.78.0`,
  python: `${AGENTS}python:0.64b0`,
  dotnet: `${AGENTS}dotnet:1.16.0`,
  go: 'ghcr.io/open-telemetry/opentelemetry-go-instrumentation/autoinstrumentation-go:v0.24.0',
  'apache-httpd': `${AGENTS}apache-httpd:1.0.4`,
  /** The modules of both web servers come in one image. */
  nginx: `${AGENTS}apache-httpd:1.0.4`,
  collector: 'ghcr.io/open-telemetry/opentelemetry-collector-releases/opentelemetry-collector:0.152.0',
} as const;

export type ImageName = keyof typeof DEFAULT_IMAGES;
