import { readFileSync } from 'node:fs';
import { whyUnreadable } from '../files/read-manifests.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { tryParseJson } from '../json/try-parse-json.ts';
import { itemsOf, membersOf } from '../kube/json-parts.ts';
import type { FindingsOf } from '../page/chain-stops.ts';
import type { FindingView } from '../page/view.ts';
import { PodgraftError } from '../podgraft-error.ts';

/** The findings of reports that `podgraft verify -o json` wrote, by webhook. */
export function verifyFindings(files: readonly string[]): FindingsOf {
  const found = new Map<Json | undefined, FindingView[]>();
  for (const file of files) {
    const { webhooks, checks } = readReport(file);
    const all = itemsOf(webhooks).map((webhook) => membersOf(webhook).id);
    for (const result of itemsOf(checks)) {
      const { check, subject, finding } = membersOf(result);
      const { message, culprits } = membersOf(finding);
      if (typeof check !== 'string' || typeof message !== 'string') continue;
      const shown: FindingView = { rule: check, severity: 'error', message };
      // A check of all webhooks together may not know which one is responsible.
      const named = isJsonArray(culprits) && culprits.length > 0 ? culprits : [subject];
      for (const id of named.some((each) => all.includes(each)) ? named : all) {
        found.set(id, [...(found.get(id) ?? []), shown]);
      }
    }
  }
  return (configuration, webhook) => found.get(`${configuration}/${webhook}`) ?? [];
}

function readReport(file: string): JsonObject {
  const report = tryParseJson(textOf(file));
  if (isJsonObject(report) && isJsonArray(report.checks) && isJsonArray(report.webhooks)) return report;
  throw unreadable(file, 'not a report of "podgraft verify -o json"');
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw unreadable(file, whyUnreadable(cause));
  }
}

function unreadable(file: string, why: string): PodgraftError {
  return new PodgraftError('INPUT_INVALID', `Cannot read "${file}": ${why}`);
}
