import { annotationsOf } from '../kube/kube-object.ts';
import { createInventory, type InventoryOptions, type Unchecked } from './model/inventory.ts';
import type { Source } from './model/source.ts';
import { type Finding, type Rule, SEVERITIES, type Severity, URGENCY } from './rule.ts';
import { rules } from './rules/catalog.ts';

export interface LintReport {
  /** The most severe first, then in the order of the input. */
  readonly findings: readonly Finding[];
  /** Findings that an annotation silences, with its reason. */
  readonly ignored: readonly IgnoredFinding[];
  /** 100 is perfect. */
  readonly score: number;
  /** The three to fix first. */
  readonly urgent: readonly Finding[];
  /** How many webhooks were checked. */
  readonly webhooks: number;
  /** What could not be checked: rules that need it report nothing. */
  readonly unchecked: readonly Unchecked[];
}

/** Whether there may be webhooks that could not be read, so that a report without findings means nothing. */
export function isBlind({ unchecked }: LintReport): boolean {
  return unchecked.some(({ subject }) => subject.endsWith('WebhookConfiguration'));
}

export interface IgnoredFinding {
  readonly finding: Finding;
  readonly reason: string;
}

/** Annotation with the rules to ignore on an object: `rule=reason`, one per line or separated by semicolons. */
export const IGNORE_ANNOTATION = 'podgraft.dev/lint-ignore';

/** Checks objects against the rules. */
export function runLint(
  sources: readonly Source[],
  options: InventoryOptions,
  selected: readonly Rule[] = rules,
): LintReport {
  const inventory = createInventory(sources, options);
  const order = new Map(sources.map((source, index) => [source, index]));
  const found = selected
    .flatMap((rule) =>
      [...rule.check(inventory)].map((problem) => ({ severity: rule.severity, ...problem, rule })),
    )
    .toSorted(
      (one, other) =>
        SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
        (order.get(one.source) ?? 0) - (order.get(other.source) ?? 0),
    );
  const ignored = found.flatMap((finding) => {
    const reason = ignoredRules(finding.source).get(finding.rule.id);
    return reason === undefined ? [] : { finding, reason };
  });
  const silent = new Set(ignored.map(({ finding }) => finding));
  const findings = found.filter((finding) => !silent.has(finding));
  return {
    findings,
    ignored,
    score: scoreOf(findings),
    urgent: urgentOf(findings),
    webhooks: inventory.webhooks.length,
    unchecked: options.unchecked ?? [],
  };
}

function ignoredRules({ object }: Source): Map<string, string> {
  const text = annotationsOf(object)[IGNORE_ANNOTATION];
  const entries = typeof text === 'string' ? text.split(/[;\n]/) : [];
  return new Map(
    entries.flatMap((entry): [string, string][] => {
      const [, rule, reason] = /^\s*([a-z-]+)\s*=\s*(.*\S)\s*$/.exec(entry) ?? [];
      // Without a reason, nobody can tell later whether it still holds.
      return rule === undefined || reason === undefined ? [] : [[rule, reason]];
    }),
  );
}

/** From 100 down to 0. Repetitions of a rule count half as much as its first finding, a quarter, and so on. */
function scoreOf(findings: readonly Finding[]): number {
  const seen = new Map<string, number>();
  let score = 100;
  for (const { rule, severity } of findings) {
    const times = seen.get(rule.id) ?? 0;
    seen.set(rule.id, times + 1);
    score -= WEIGHTS[severity] / 2 ** times;
  }
  return Math.max(0, Math.round(score));
}

const WEIGHTS: { readonly [severity in Severity]: number } = { error: 20, warning: 6, info: 0 };

/** One of each rule, so that a repeated mistake does not hide the others. */
function urgentOf(findings: readonly Finding[]): Finding[] {
  const first = findings.filter(
    ({ rule, severity }, index) =>
      severity !== 'info' && findings.findIndex((other) => other.rule === rule) === index,
  );
  const rankOf = ({ severity, rule }: Finding) =>
    SEVERITIES.indexOf(severity) * URGENCY.length + URGENCY.indexOf(rule.category);
  return first.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, 3);
}
