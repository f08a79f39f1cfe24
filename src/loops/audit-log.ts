import { type AuditWrite, type IgnoreReason, readWrite } from './audit-write.ts';
import { splitByParsing, splitEvent } from './event-parts.ts';
import { type FinderOptions, LoopFinder } from './loop-finder.ts';

/** Counts of what was read. */
export interface LogCounts {
  readonly bytes: number;
  readonly lines: number;
  readonly writes: number;
  /** Half-written lines, and lines of something else. */
  readonly foreign: number;
  /** Writes that were logged without the object. */
  readonly withoutBodies: number;
}

/** No audit event is this long; without a limit, a file without line breaks would be read into memory. */
const LONGEST_LINE = 32 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Reads an audit log in chunks and finds loops. */
export class AuditLog {
  readonly finder: LoopFinder;
  #rest: Buffer[] = [];
  #restLength = 0;
  #counts = { bytes: 0, lines: 0, writes: 0, foreign: 0, withoutBodies: 0 };

  constructor(options: FinderOptions = {}) {
    this.finder = new LoopFinder(options);
  }

  get counts(): LogCounts {
    return this.#counts;
  }

  add(chunk: Buffer): void {
    this.#counts.bytes += chunk.length;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = chunk.subarray(start, end);
      this.#line(this.#restLength > 0 ? this.#joined(line) : line);
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** The last line may be incomplete. */
  end(): void {
    if (this.#restLength > 0) this.#line(this.#joined(Buffer.alloc(0)));
  }

  #keep(part: Buffer): void {
    this.#restLength += part.length;
    // Only the length of an overlong line is kept, so that it counts as foreign.
    if (this.#restLength > LONGEST_LINE) this.#rest = [];
    else this.#rest.push(part);
  }

  #joined(end: Buffer): Buffer {
    const isTooLong = this.#restLength + end.length > LONGEST_LINE;
    const line = isTooLong ? Buffer.from('too long') : Buffer.concat([...this.#rest, end]);
    this.#rest = [];
    this.#restLength = 0;
    return line;
  }

  #line(line: Buffer): void {
    if (line.length <= 1) return;
    this.#counts.lines++;
    if (isRead(line)) return;
    const write = writeIn(line);
    if (typeof write === 'string') this.#skip(write);
    else {
      this.#counts.writes++;
      this.finder.add(write);
    }
  }

  #skip(reason: IgnoreReason): void {
    if (reason === 'not-an-event') this.#counts.foreign++;
    if (reason === 'no-bodies') this.#counts.withoutBodies++;
  }
}

const VERB = Buffer.from('"verb":"');
/** `get`, `list` and `watch` by their first letter; no verb that writes begins with one of these. */
const READS = new Set([...'glw'].map((letter) => letter.charCodeAt(0)));
const HEAD = 4096;
const OPEN_MAP = 0x7b;
const CLOSE_MAP = 0x7d;

/** Whether a line is certainly about a request that only reads. Most lines are, and need not be parsed. */
function isRead(line: Buffer): boolean {
  const head = line.subarray(1, HEAD);
  const at = head.indexOf(VERB);
  if (at < 0 || !READS.has(head[at + VERB.length] ?? 0)) return false;
  // The event's own verb: no object begins before it. A line with another end is incomplete.
  const inner = head.indexOf(OPEN_MAP);
  return (inner < 0 || inner > at) && line[0] === OPEN_MAP && line.at(-1) === CLOSE_MAP;
}

function writeIn(line: Buffer): AuditWrite | IgnoreReason {
  const parts = splitEvent(line);
  if (parts === undefined) return 'not-an-event';
  const write = readWrite(parts);
  if (write !== 'not-an-event') return write;
  // The keys by which it was split may be those of an object inside.
  const whole = splitByParsing(line);
  return whole === undefined ? 'not-an-event' : readWrite(whole);
}
