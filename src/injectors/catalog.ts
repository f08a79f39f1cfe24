import type { AnyInjector } from '../sdk/injector.ts';
import { admissionPolicy } from './admission-policy/admission-policy.ts';
import { filebeat } from './filebeat/filebeat.ts';
import { gatekeeper } from './gatekeeper/gatekeeper.ts';
import { istio } from './istio/istio.ts';
import { metadata } from './metadata/metadata.ts';
import { opentelemetry } from './opentelemetry/opentelemetry.ts';
import { overlay } from './overlay/overlay.ts';
import { podIdentity } from './pod-identity/pod-identity.ts';

/** The built-in injectors: what `use:` may name. The only list of them. */
export const catalog: readonly AnyInjector[] = [
  admissionPolicy,
  filebeat,
  gatekeeper,
  istio,
  metadata,
  opentelemetry,
  overlay,
  podIdentity,
];
