import { AuditLog } from '../loops/audit-log.ts';
import { AUDIT_POLICY } from '../loops/audit-policy.ts';
import type { Loop } from '../loops/loop-finder.ts';
import { isConfidential, renderLoop, renderLoops } from '../loops/render-loops.ts';
import { suggestionFor } from '../loops/suggestion.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { followFile, openLog } from './log-input.ts';

export interface LoopsOptions {
  readonly output: 'table' | 'json';
  readonly minReturns: number;
  readonly policy?: true;
  readonly follow?: true;
}

/** Prints which writers overwrite each other, from audit logs. */
export async function loops(paths: readonly string[], options: LoopsOptions): Promise<void> {
  if (options.policy) {
    process.stdout.write(AUDIT_POLICY);
    return;
  }
  if (paths.length === 0)
    throw new PodgraftError('USAGE', 'Nothing to read: pass audit logs, or - for standard input');
  const log = new AuditLog({ minReturns: options.minReturns });
  if (options.follow) {
    await follow(paths, log);
    return;
  }
  for (const path of paths) {
    for await (const chunk of openLog(path)) log.add(chunk);
    log.end();
  }
  const found = log.finder.loops();
  const text =
    options.output === 'json'
      ? `${JSON.stringify({ ...log.counts, loops: found.map(describe) }, null, 2)}\n`
      : renderLoops(found, log.counts, process.stdout.isTTY);
  process.stdout.write(text);
  if (found.length > 0) process.exitCode = 1;
}

/** Prints each loop when it is found, and again whenever its count has doubled, until interrupted. */
async function follow(paths: readonly string[], log: AuditLog): Promise<void> {
  const [path, ...others] = paths;
  if (path === undefined || others.length > 0)
    throw new PodgraftError('USAGE', '--follow needs one audit log');
  const reported = new Map<string, number>();
  const report = () => {
    for (const loop of log.finder.loops()) {
      const key = `${loop.resource} ${loop.namespace}/${loop.name} ${loop.path}`;
      if (loop.returns < 2 * (reported.get(key) ?? 0)) continue;
      reported.set(key, loop.returns);
      process.stdout.write(`${renderLoop(loop, process.stdout.isTTY)}\n`);
    }
  };
  const ending = new AbortController();
  const stop = () => ending.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const timer = setInterval(report, 1000);
  try {
    const chunks = path === '-' ? openLog(path, ending.signal) : followFile(path, ending.signal);
    for await (const chunk of chunks) log.add(chunk);
    log.end();
  } finally {
    clearInterval(timer);
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
  report();
  process.stdout.write(
    renderLoops(log.finder.loops(), log.counts, process.stdout.isTTY).split('\n\n')[0]?.concat('\n') ?? '',
  );
}

function describe(loop: Loop) {
  const { resource, namespace, name, path, others, returns, first, last, shares } = loop;
  return {
    resource,
    namespace,
    name,
    path,
    others,
    returns,
    first: new Date(first).toISOString(),
    last: new Date(last).toISOString(),
    writers: shares.map(({ writer, value, count }) => ({
      ...writer,
      count,
      ...(!isConfidential(resource, path) && { value }),
    })),
    suggestion: suggestionFor(loop),
  };
}
