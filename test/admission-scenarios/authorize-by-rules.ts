import type { AccessCheck, Authorize } from '../../src/cel/values/authorizer-values.ts';

/** A rule of the recorded cases: an absent or empty field matches anything, and the first match decides. */
export interface AuthorizerRule {
  readonly user?: string;
  readonly verb?: string;
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly decision?: 'allow' | 'deny' | 'noOpinion';
  readonly reason?: string;
  readonly error?: string;
}

const FIELDS = ['verb', 'path', 'group', 'resource', 'subresource', 'namespace', 'name'] as const;

export function authorizeByRules(rules: readonly AuthorizerRule[]): Authorize {
  return (check) => {
    const rule = rules.find((each) => matches(each, check));
    return {
      allowed: rule !== undefined && (rule.decision ?? 'allow') === 'allow',
      ...(rule?.reason !== undefined && { reason: rule.reason }),
      ...(rule?.error !== undefined && { error: rule.error }),
    };
  };
}

function matches(rule: AuthorizerRule, check: AccessCheck): boolean {
  if (rule.user && rule.user !== check.user.username) return false;
  return FIELDS.every((field) => !rule[field] || rule[field] === check[field]);
}
