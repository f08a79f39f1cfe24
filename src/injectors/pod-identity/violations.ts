import { annotationsOf, type DeepReadonly, matchesNamePattern, type Pod, quoted } from '../../sdk/index.ts';
import type { Account } from './account.ts';
import type { AccountSettings } from './account-lists.ts';
import { parseExpiration } from './expiration.ts';
import type { Settings } from './settings.ts';

/** Why `allowed` forbids the role of an account, or the audience of its token; undefined if it does not. */
export function roleViolation(
  { key, annotations, own }: Account,
  role: AccountSettings,
  config: Settings,
): string | undefined {
  const { roleArns, audiences } = config.allowed;
  if (!isAllowed(role.roleArn, roleArns))
    return `role ${quoted(role.roleArn)} of ServiceAccount ${quoted(key)} does not match "allowed.roleArns"`;
  const name = config.annotations.audience;
  // The ConfigMap of roles belongs to the administrator.
  if (role !== own || annotations?.[name] === undefined || isAllowed(role.audience, audiences))
    return undefined;
  return `annotation "${name}" of ServiceAccount ${quoted(key)} is ${quoted(role.audience)}, which does not match "allowed.audiences"`;
}

/** Why `allowed` forbids the lifetime that annotations set; undefined if it does not. Defaults are not limited. */
export function expirationViolation(
  pod: DeepReadonly<Pod>,
  { key, annotations, own }: Account,
  settings: AccountSettings,
  config: Settings,
): string | undefined {
  const { min, max } = config.allowed.tokenExpiration;
  const name = config.annotations.expiration;
  const ofPod = parseExpiration(annotationsOf(pod)[name]);
  const seconds = ofPod ?? (settings === own ? parseExpiration(annotations?.[name]) : undefined);
  if (seconds === undefined || (seconds >= min && seconds <= max)) return undefined;
  const owner = ofPod === undefined ? `ServiceAccount ${quoted(key)}` : 'the Pod';
  return `annotation "${name}" of ${owner} is ${seconds} seconds, expected ${min} to ${max} by "allowed.tokenExpiration"`;
}

function isAllowed(text: string, patterns: readonly string[] | undefined): boolean {
  return patterns === undefined || patterns.some((pattern) => matchesNamePattern(pattern, text));
}
