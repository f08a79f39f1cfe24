import { writeSync } from 'node:fs';
import { type Debugger, Session } from 'node:inspector';
import { BLOCKED_EXIT_CODE } from './watchdog-protocol.ts';

/** The work in progress, for the log. */
export interface BlockedWork {
  readonly uid?: string;
  readonly injector?: string;
  readonly seconds: number;
}

const PAUSE_MS = 1_000;
const FRAMES = 10;

/**
 * Called from another thread: logs where the main thread is blocked, and ends the process. The main thread is paused as by a
 * debugger, because the kernel ignores signals of a container's first process to itself, SIGKILL too.
 */
export function endBlockedProcess(work: BlockedWork): void {
  const session = new Session();
  const urls = new Map<string, string>();
  // Native code cannot be paused. As the first process of a container it continues until the liveness probe ends it.
  const timer = setTimeout(() => {
    writeLog(work);
    process.kill(process.pid, 'SIGKILL');
  }, PAUSE_MS);
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
  session.once('Debugger.paused', ({ params }) => {
    clearTimeout(timer);
    writeLog({ ...work, stack: stackOf(params.callFrames, urls) });
    session.post('Runtime.evaluate', { expression: EXIT });
  });
  session.connectToMainThread();
  session.post('Debugger.enable');
  session.post('Debugger.pause');
}

/** Closes standard error first: Node would write there that it is waiting for the debugger. */
const EXIT = `process.getBuiltinModule('node:fs').closeSync(2); process.exit(${BLOCKED_EXIT_CODE})`;

/** In pino's format, and at once: the main thread's own logger cannot run. */
function writeLog(fields: BlockedWork & { readonly stack?: string }): void {
  const msg = 'event loop blocked, ending the process';
  const line = { level: 'fatal', time: new Date().toISOString(), pid: process.pid, ...fields, msg };
  try {
    writeSync(1, `${JSON.stringify(line)}\n`);
  } catch {
    // Standard output is closed; end the process anyway.
  }
}

function stackOf(frames: readonly Debugger.CallFrame[], urls: ReadonlyMap<string, string>): string {
  return frames
    .slice(0, FRAMES)
    .map(({ functionName, location }) => {
      const place = `${urls.get(location.scriptId) ?? ''}:${location.lineNumber + 1}`;
      return `at ${functionName || '<anonymous>'} (${place})`;
    })
    .join('\n');
}
