import type { Patch } from '../json/operation.ts';
import type { Pointer } from '../json/pointer.ts';
import type { Inventory } from './model/inventory.ts';
import type { Source } from './model/source.ts';

export const SEVERITIES = ['error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const CATEGORIES = [
  'latency',
  'availability',
  'deadlock',
  'scope',
  'correctness',
  'certificates',
  'access',
  'mechanism',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** Ordered by impact: cluster stopped, service down, slow. */
export const URGENCY: readonly Category[] = [
  'deadlock',
  'certificates',
  'availability',
  'correctness',
  'access',
  'scope',
  'latency',
  'mechanism',
];

/** One good practice. Its page in docs/lint and its tests are derived from it. */
export interface Rule {
  readonly id: string;
  readonly category: Category;
  readonly severity: Severity;
  /** The problem, as a title. */
  readonly title: string;
  /** Why it matters. */
  readonly why: string;
  /** The page that recommends the practice. */
  readonly practice: string;
  /** How to fix it. */
  readonly fix: string;
  readonly check: (inventory: Inventory) => Iterable<Problem>;
  /** Manifests. The first of each is shown in the documentation; `<ca>` and the like stand for certificates. */
  readonly bad: readonly string[];
  readonly good: readonly string[];
}

/** A place that violates a rule. */
export interface Problem {
  readonly source: Source;
  readonly path: Pointer;
  /** One line, with the values. */
  readonly message: string;
  /** If it differs from the rule's. */
  readonly severity?: Severity;
  /** For --fix. Safe: it changes no object that the webhook is for. */
  readonly patch?: Patch;
  /** Lines that show the problem as a picture. */
  readonly drawing?: readonly string[];
}

/** A problem with the rule that found it. */
export interface Finding extends Problem {
  readonly rule: Rule;
  readonly severity: Severity;
}

const GOOD_PRACTICES =
  'https://kubernetes.io/docs/concepts/cluster-administration/admission-webhooks-good-practices/';
const WEBHOOKS = 'https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/';

/** A section of Kubernetes' page of good practices for admission webhooks. */
export function goodPractice(section = ''): string {
  return section === '' ? GOOD_PRACTICES : `${GOOD_PRACTICES}#${section}`;
}

/** A section of Kubernetes' reference of admission webhooks. */
export function webhookReference(section: string): string {
  return `${WEBHOOKS}#${section}`;
}
