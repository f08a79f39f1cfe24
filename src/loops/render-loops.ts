import { styleText } from 'node:util';
import type { LogCounts } from './audit-log.ts';
import type { Share, Writer } from './field-history.ts';
import type { Loop } from './loop-finder.ts';
import { suggestionFor } from './suggestion.ts';

type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;

export function renderLoops(loops: readonly Loop[], counts: LogCounts, colour: boolean): string {
  const paint: Paint = colour ? styleText : (_, text) => text;
  const blocks = loops.map((loop) => renderLoop(loop, colour));
  return [paint('bold', headline(loops.length, counts)), ...notes(counts), '', ...blocks]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

/** One loop, as a block of lines. */
export function renderLoop(loop: Loop, colour: boolean): string {
  const paint: Paint = colour ? styleText : (_, text) => text;
  const { returns, first, last, times, shares, path, others } = loop;
  const more =
    others.length === 0
      ? ''
      : paint('dim', `  and with it ${others.slice(0, 3).join(', ')}${others.length > 3 ? ' …' : ''}`);
  const minutes = (last - first) / 60_000;
  const rate = minutes > 0 ? `, ${rateText(returns / minutes)}` : '';
  const rows = shares
    .slice(0, 6)
    .map((share) => [shownValue(share, loop), writerText(share.writer), `${share.count} times`]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return [
    `${paint('bold', `${titleOf(loop)}  ${path}`)}${more}`,
    `  ${paint('red', `changed back ${returns} times`)}${rate}, from ${timeText(first)} to ${timeText(last)}`,
    `  ${paint('cyan', timelineOf(times, first, last))}`,
    ...rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`),
    `  ${paint('green', '→')} ${suggestionFor(loop)}`,
    '',
  ].join('\n');
}

function headline(count: number, { lines, writes, bytes }: LogCounts): string {
  const found = count === 0 ? 'No loops' : plural(count, 'loop');
  return `${found} in ${plural(lines, 'line')} (${(bytes / 1e6).toFixed(1)} MB), ${plural(writes, 'write')}`;
}

function notes({ foreign, withoutBodies, writes }: LogCounts): string[] {
  return [
    ...(foreign > 0 ? [`${plural(foreign, 'line')} left out: not audit events, or incomplete`] : []),
    ...(withoutBodies > 0
      ? [
          `${plural(withoutBodies, 'write')} left out: logged without the object. Use the audit policy of podgraft loops --policy`,
        ]
      : []),
    ...(writes + withoutBodies === 0 ? ['There are no writes in this log: is it an audit log?'] : []),
  ];
}

/** Loops of controllers that run rarely are counted by the hour. */
function rateText(aMinute: number): string {
  const [rate, unit] = aMinute < 1 ? [60 * aMinute, 'an hour'] : [aMinute, 'a minute'];
  return `${rate < 10 ? Number(rate.toPrecision(2)) : Math.round(rate)} ${unit}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `deployments.apps "shop/web"`. */
function titleOf({ resource, namespace, name }: Loop): string {
  return `${resource} "${namespace === '' ? name : `${namespace}/${name}`}"`;
}

/** Secrets and environment variables are not shown. */
function shownValue({ value }: Share, { resource, path }: Loop): string {
  return isConfidential(resource, path) && value !== '(absent)' ? '(hidden)' : value;
}

export function isConfidential(resource: string, path: string): boolean {
  if (resource === 'secrets') return !path.startsWith('/metadata/labels');
  return (
    /\/env(\/|$)|\/(args|command)(\/|$)|last-applied-configuration/.test(path) || resource === 'configmaps'
  );
}

function writerText({ kind, name, detail }: Writer): string {
  if (kind === 'webhook') return `webhook "${name}" of "${detail}"`;
  return detail === '' ? name : `${name} (${detail})`;
}

function timeText(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

const WIDTH = 40;
const BARS = [...' ▁▂▃▄▅▆▇█'];

/** How often something happened over time, as a row of bars. */
function timelineOf(times: readonly number[], first: number, last: number): string {
  const counts = new Array<number>(WIDTH).fill(0);
  const span = Math.max(1, last - first);
  for (const time of times) {
    const bucket = Math.min(WIDTH - 1, Math.floor(((time - first) / span) * WIDTH));
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  const most = Math.max(...counts, 1);
  return counts.map((count) => BARS[Math.ceil((count / most) * (BARS.length - 1))]).join('');
}
