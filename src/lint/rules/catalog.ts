import type { Rule } from '../rule.ts';
import { accessReviews } from './access-reviews.ts';
import { addOns } from './add-ons.ts';
import { broadMatch } from './broad-match.ts';
import { caBundle } from './ca-bundle.ts';
import { celCost } from './cel-cost.ts';
import { celInvalid } from './cel-invalid.ts';
import { certificateExpiry } from './certificate-expiry.ts';
import { certificateIssuer } from './certificate-issuer.ts';
import { certificateName } from './certificate-name.ts';
import { configurationWriters } from './configuration-writers.ts';
import { crdInstead } from './crd-instead.ts';
import { criticalResources } from './critical-resources.ts';
import { disruptionBudget } from './disruption-budget.ts';
import { events } from './events.ts';
import { forgottenContainers } from './forgotten-containers.ts';
import { gatekeeperMutators } from './gatekeeper-mutators.ts';
import { immutableUpdate } from './immutable-update.ts';
import { kubeSystem } from './kube-system.ts';
import { matchPolicy } from './match-policy.ts';
import { mergeableWebhooks } from './mergeable-webhooks.ts';
import { mirrorPods } from './mirror-pods.ts';
import { mutatingFail } from './mutating-fail.ts';
import { namespaceWriters } from './namespace-writers.ts';
import { nodeLeases } from './node-leases.ts';
import { optOut } from './opt-out.ts';
import { ownNamespace } from './own-namespace.ts';
import { policyInstead } from './policy-instead.ts';
import { preStop } from './pre-stop.ts';
import { readinessProbe } from './readiness-probe.ts';
import { replicas } from './replicas.ts';
import { reviewVersions } from './review-versions.ts';
import { rolloutSurge } from './rollout-surge.ts';
import { serverPrivileges } from './server-privileges.ts';
import { serviceReachable } from './service-reachable.ts';
import { sideEffects } from './side-effects.ts';
import { sidecarReinvocation } from './sidecar-reinvocation.ts';
import { subresources } from './subresources.ts';
import { timeout } from './timeout.ts';
import { timeoutSum } from './timeout-sum.ts';
import { uncheckedIgnore } from './unchecked-ignore.ts';
import { weakKey } from './weak-key.ts';
import { webhookCycle } from './webhook-cycle.ts';
import { wildcard } from './wildcard.ts';

/** All rules, in the order of the documentation. */
export const rules: readonly Rule[] = [
  timeout,
  timeoutSum,
  mergeableWebhooks,
  broadMatch,
  mutatingFail,
  uncheckedIgnore,
  criticalResources,
  replicas,
  disruptionBudget,
  rolloutSurge,
  readinessProbe,
  preStop,
  serviceReachable,
  ownNamespace,
  webhookCycle,
  addOns,
  kubeSystem,
  nodeLeases,
  accessReviews,
  wildcard,
  subresources,
  events,
  matchPolicy,
  immutableUpdate,
  mirrorPods,
  sideEffects,
  reviewVersions,
  sidecarReinvocation,
  forgottenContainers,
  celInvalid,
  celCost,
  gatekeeperMutators,
  optOut,
  caBundle,
  certificateExpiry,
  certificateIssuer,
  certificateName,
  weakKey,
  configurationWriters,
  namespaceWriters,
  serverPrivileges,
  crdInstead,
  policyInstead,
];
