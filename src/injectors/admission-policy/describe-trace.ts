import type { PolicyDecision, PolicyTrace } from '../../policy/index.ts';

/** Whether the policy's expressions were evaluated. */
export function wasEvaluated({ result }: PolicyTrace): boolean {
  return result.outcome !== 'skipped';
}

/** What each policy did with each binding and parameter, one line each, followed by its expressions. */
export function describeTrace(trace: readonly PolicyTrace[]): readonly string[] {
  return trace.flatMap((entry) => {
    const { policy, binding, param, result, decisions } = entry;
    const subject = [
      `policy "${policy}"`,
      ...(binding === undefined ? [] : [`binding "${binding}"`]),
      ...(param === undefined ? [] : [`parameter "${param}"`]),
    ].join(', ');
    if (result.outcome === 'skipped') return [`${subject}: skipped, ${result.detail}`];
    return [
      `${subject}: ${outcomeText(entry)}`,
      ...decisions.map((decision, index) => decisionText(entry, decision, index)),
    ];
  });
}

function outcomeText({ kind, result, decisions }: PolicyTrace): string {
  switch (result.outcome) {
    case 'changed':
      return 'changed the object';
    case 'rejected':
      return 'rejected the object';
    case 'failed open':
      return `failed, and its failurePolicy is Ignore: ${result.error}`;
    default:
      if (kind === 'MutatingAdmissionPolicy') return 'nothing to change';
      return decisions.length === 0 ? 'passed' : 'not passed';
  }
}

function decisionText(
  { kind }: PolicyTrace,
  { expression, message, actions }: PolicyDecision,
  index: number,
): string {
  const what = kind === 'MutatingAdmissionPolicy' ? `mutation ${index + 1}` : 'validation';
  const led = actions === undefined || actions.length === 0 ? '' : ` (${actions.join(', ')})`;
  const text = oneLine(expression);
  return `  ${what}${led}: ${text}${message === undefined ? '' : `${text === '' ? '' : ': '}${oneLine(message)}`}`;
}

const LONGEST = 300;

/** A text for a message, shortened. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
