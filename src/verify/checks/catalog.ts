import type { Check } from '../check.ts';
import { answers } from './answers.ts';
import { badReviews } from './bad-reviews.ts';
import { convergence } from './convergence.ts';
import { deletion } from './deletion.ts';
import { determinism } from './determinism.ts';
import { dryRun } from './dry-run.ts';
import { idempotence, setIdempotence } from './idempotence.ts';
import { latency } from './latency.ts';
import { order } from './order.ts';
import { ownOutput } from './own-output.ts';
import { patchApplies } from './patch-applies.ts';
import { reinvocation } from './reinvocation.ts';
import { removals } from './removals.ts';
import { setOutput } from './set-output.ts';
import { unknownFields } from './unknown-fields.ts';
import { validResult } from './valid-result.ts';
import { wholeLists } from './whole-lists.ts';

/** In the order of their runs: checks that may crash a server come last. */
export const checks: readonly Check[] = [
  answers,
  patchApplies,
  validResult,
  idempotence,
  ownOutput,
  determinism,
  reinvocation,
  removals,
  wholeLists,
  unknownFields,
  deletion,
  dryRun,
  setOutput,
  setIdempotence,
  convergence,
  order,
  latency,
  badReviews,
];
