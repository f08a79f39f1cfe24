import type { Outcome } from '../chain/outcome.ts';
import type { JsonObject } from '../json/json.ts';
import type { Check, Problem } from './check.ts';
import { checks as all } from './checks/catalog.ts';
import { wasCalled } from './checks/passes.ts';
import type { Sample } from './corpus.ts';
import { createSession, type Session } from './session.ts';
import { shrink } from './shrink.ts';
import type { Subject } from './subject.ts';

export interface VerifyInput {
  readonly subjects: readonly Subject[];
  readonly samples: readonly Sample[];
  /** Namespaces, ServiceAccounts and other cluster objects. */
  readonly objects?: readonly JsonObject[];
  /** Mutating- and ValidatingAdmissionPolicies with their bindings, which act in every request. */
  readonly policies?: readonly JsonObject[];
  /** The servers are in use: every request is a dry run. */
  readonly isLive?: boolean;
  /** Decides which orders of more than five webhooks are tried. */
  readonly seed?: number;
  /** All unless given. */
  readonly checks?: readonly Check[];
  readonly progress?: (progress: Progress) => void;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly check: string;
  readonly subject: string;
}

export interface VerifyReport {
  readonly seed: number;
  readonly webhooks: readonly { readonly id: string; readonly type: string; readonly address: string }[];
  readonly results: readonly CheckResult[];
  /** What could not be checked, and why. */
  readonly notes: readonly string[];
}

/** One check of one webhook, or of all together. */
export interface CheckResult {
  readonly check: Check;
  readonly subject: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** The number of objects that it was tried with. */
  readonly objects: number;
  readonly finding?: Finding;
}

export interface Finding extends Problem {
  /** The number of objects that show it. */
  readonly affected: number;
  /** The first of them, and the smallest object that still shows it. */
  readonly sample: string;
  readonly smallest?: JsonObject;
}

export const TOGETHER = 'all webhooks together';

/** Runs the checks one after another: a server that fails one may be slow or gone for the next. */
export async function runVerify(input: VerifyInput): Promise<VerifyReport> {
  const { subjects, checks = all, progress } = input;
  const session = createSession(subjects, input);
  const notes: string[] = [];
  const samples = await acceptable(input.samples, session, notes);
  const called = new Map<string, readonly Sample[]>();
  for (const subject of subjects) {
    const matching = await samplesFor([subject], samples, session);
    called.set(subject.id, matching);
    if (matching.length === 0)
      notes.push(`${subject.id} was not called with any object: pass objects that it matches with -f`);
  }
  const together = samples.filter((sample) => [...called.values()].some((list) => list.includes(sample)));
  const results: CheckResult[] = [];
  const jobs = checks.flatMap((check) =>
    groupsOf(check, subjects).map((group) => ({
      check,
      group,
      samples: check.scope === 'set' ? together : (called.get((group[0] as Subject).id) ?? []),
    })),
  );
  for (const [done, { check, group, samples }] of jobs.entries()) {
    const subject = check.scope === 'set' ? TOGETHER : (group[0] as Subject).id;
    progress?.({ done, total: jobs.length, check: check.id, subject });
    results.push(await runCheck(check, group, subject, samples, session));
  }
  const webhooks = subjects.map(({ id, webhook, server }) => ({
    id,
    type: webhook.type,
    address: server.address,
  }));
  return { seed: session.seed, webhooks, results, notes };
}

/** A set of one webhook is checked as that webhook. */
function groupsOf({ scope }: Check, subjects: readonly Subject[]): readonly (readonly Subject[])[] {
  if (scope === 'set') return subjects.length > 1 ? [subjects] : [];
  const wanted = subjects.filter(({ webhook }) => scope === 'each' || webhook.type === 'mutating');
  return wanted.map((subject) => [subject]);
}

/** Objects that the API server accepts without any webhook. */
async function acceptable(
  samples: readonly Sample[],
  session: Session,
  notes: string[],
): Promise<readonly Sample[]> {
  const found: Sample[] = [];
  for (const sample of samples) {
    const outcome = await withoutWebhooks(sample.object, session);
    if (outcome.allowed) found.push(sample);
    else notes.push(`${sample.title} is left out: ${outcome.status.message}`);
  }
  return found;
}

function withoutWebhooks(object: JsonObject, session: Session): Promise<Outcome> {
  return session.admit([], session.requestFor([], object));
}

async function isAcceptable(object: JsonObject, session: Session): Promise<boolean> {
  try {
    return (await withoutWebhooks(object, session)).allowed;
  } catch {
    // If it has no kind, for example.
    return false;
  }
}

async function samplesFor(
  subjects: readonly Subject[],
  samples: readonly Sample[],
  session: Session,
): Promise<readonly Sample[]> {
  const answers = new Map();
  const found: Sample[] = [];
  for (const sample of samples) {
    const request = session.requestFor(subjects, sample.object);
    if (wasCalled(await session.admit(subjects, request, { answers }))) found.push(sample);
  }
  return found;
}

function chosenSamples({ objects }: Check, samples: readonly Sample[]): readonly Sample[] {
  if (objects === 'one') return samples.slice(0, 1);
  if (objects === 'all') return samples;
  const sizeOf = ({ object }: Sample) => JSON.stringify(object).length;
  return samples.toSorted((one, other) => sizeOf(one) - sizeOf(other));
}

async function runCheck(
  check: Check,
  subjects: readonly Subject[],
  subject: string,
  samples: readonly Sample[],
  session: Session,
): Promise<CheckResult> {
  const chosen = chosenSamples(check, samples);
  const found: { readonly sample: Sample; readonly problem: Problem }[] = [];
  let tried = 0;
  for (const sample of chosen) {
    tried++;
    const problem = await check.examine(subjects, sample.object, session);
    if (problem !== undefined) found.push({ sample, problem });
    if (problem !== undefined && !problem.isAboutServer && check.objects === 'smallest') break;
  }
  const base = { check, subject, objects: tried };
  const first = found.find(({ problem }) => !problem.isAboutServer) ?? found[0];
  if (first === undefined) return { ...base, outcome: tried === 0 ? 'skipped' : 'passed' };
  const { sample, problem } = first;
  const finding = { ...problem, affected: found.length, sample: sample.title };
  if (problem.isAboutServer) return { ...base, outcome: 'failed', finding };
  const persists = async (object: JsonObject) =>
    check.persists?.(subjects, object, session) ??
    (await check.examine(subjects, object, session)) !== undefined;
  const smallest = await shrink(
    sample.object,
    async (object) => (await isAcceptable(object, session)) && (await persists(object)),
  );
  // The message for the smallest object, which is the clearest.
  const final = (await check.examine(subjects, smallest, session)) ?? problem;
  return { ...base, outcome: 'failed', finding: { ...finding, ...final, smallest } };
}
