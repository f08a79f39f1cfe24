import { exactPatch } from '../graft/exact-patch.ts';
import { shapeOf } from '../graft/shape-of.ts';
import type { Json, JsonObject } from '../json/json.ts';
import { toYaml } from '../kubernetes-yaml.ts';
import { editDocument } from '../yaml/edit-document.ts';
import { parseDocument } from '../yaml/parse-document.ts';
import { type Author, blameTurns, type Turn } from './blame.ts';
import { changesOf, withoutServerParts } from './changes.ts';
import type { RunView } from './view.ts';

export interface RunSource
  extends Pick<RunView, 'request' | 'denial' | 'warnings' | 'kept' | 'injectors' | 'stops'> {
  readonly sent: JsonObject;
  /** As its author wrote it; printed if absent. */
  readonly text?: string;
  /** The changes in order. Whatever changed between them was the API server. */
  readonly turns: readonly Turn[];
  /** The object at the end. */
  readonly result: JsonObject;
  readonly failed?: boolean;
}

/** What the page shows of a run: the object before and after, and the owner of every change. */
export function runView(source: RunSource): RunView {
  const { sent, result, text = toYaml(sent), turns, failed = false, ...view } = source;
  const shape = shapeOf(String(sent.apiVersion), String(sent.kind));
  const history = blameTurns(withServer(sent, turns, result), shape);
  const shown = withoutServerParts(result, history, sent);
  const after = editDocument(parseDocument(text), exactPatch(sent, shown, [], shape));
  const changes = changesOf(sent, shown, history, parseDocument(after));
  return { ...view, verdict: verdictOf(view.denial, failed, changes), before: text, after, changes };
}

function verdictOf(
  denial: RunView['denial'],
  failed: boolean,
  changes: RunView['changes'],
): RunView['verdict'] {
  if (failed) return 'failed';
  if (denial !== undefined) return 'denied';
  // The API server's own plug-ins change every Pod.
  return changes.some(({ isPlugin }) => isPlugin !== true) ? 'changed' : 'unchanged';
}

const SERVER: Author = {
  owner: 'API server',
  reason: 'the API server drops fields that it does not know or that only it may set',
  isServer: true,
};

/** Between two turns, the API server decodes the object and fills in defaults. */
function withServer(sent: Json, turns: readonly Turn[], result: Json): Turn[] {
  const starts = [...turns.map(({ before }) => before), result];
  const ends = [sent, ...turns.map(({ after }) => after)];
  return starts.flatMap((start, index) => {
    const between = { before: ends[index] as Json, after: start, author: SERVER };
    const turn = turns[index];
    return turn === undefined ? [between] : [between, turn];
  });
}
