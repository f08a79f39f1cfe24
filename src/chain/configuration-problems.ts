import type { JsonObject } from '../json/json.ts';
import type { FieldError } from '../kube/field-error.ts';
import { metadataOf } from '../policy/cluster-objects.ts';
import { invalid } from '../policy/status.ts';
import { validatePolicy } from '../policy/validate-policy.ts';
import type { Status } from './outcome.ts';
import { validateWebhooks } from './validate-webhooks.ts';

/** The Status with which the API server rejects a webhook configuration, policy or binding; undefined if it is valid. */
export function configurationProblems(configuration: JsonObject): Status | undefined {
  const errors = errorsOf(configuration);
  if (errors.length === 0) return undefined;
  const { name } = metadataOf(configuration);
  return invalid(
    { kind: String(configuration.kind), group: 'admissionregistration.k8s.io', name: String(name ?? '') },
    errors,
  );
}

function errorsOf(configuration: JsonObject): FieldError[] {
  switch (configuration.kind) {
    case 'MutatingWebhookConfiguration':
    case 'ValidatingWebhookConfiguration':
      return validateWebhooks(configuration);
    default:
      return validatePolicy(configuration);
  }
}
