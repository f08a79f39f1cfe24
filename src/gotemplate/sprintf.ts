import { type Flags, NO_FLAGS } from './format-flags.ts';
import { formatArg } from './format-value.ts';
import type { Meter } from './meter.ts';
import { typeOf } from './types.ts';
import { Int, type Value } from './values.ts';

/** Go's fmt.Sprintf, which reports mistakes in its output: %!d(string=x), %!s(MISSING), %!(EXTRA ...). */
export function sprintf(format: string, args: readonly Value[], meter: Meter): string {
  let out = '';
  let end = 0;
  const cursor = { next: 0, reordered: false };
  for (let at = format.indexOf('%'); at >= 0; at = format.indexOf('%', end)) {
    out += format.slice(end, at);
    const letter = format[at + 1] ?? '';
    const directive = PLAIN.test(letter)
      ? plainDirective(letter, at + 2)
      : readDirective(format, at + 1, args, cursor);
    out += expand(directive, args, cursor, meter);
    end = directive.end;
    meter.reserve(out.length);
  }
  return out + format.slice(end) + extra(args, cursor, meter);
}

const PLAIN = /^[a-zA-Z]$/;

function plainDirective(verb: string, end: number): Directive {
  return { flags: NO_FLAGS, verb, problem: '', badIndex: false, end };
}

interface Cursor {
  next: number;
  reordered: boolean;
}

interface Directive {
  readonly flags: Flags;
  readonly verb: string | undefined;
  readonly problem: string;
  readonly badIndex: boolean;
  readonly end: number;
}

const FLAGS: Readonly<Record<string, 'plus' | 'minus' | 'sharp' | 'space' | 'zero'>> = {
  '+': 'plus',
  '-': 'minus',
  '#': 'sharp',
  ' ': 'space',
  '0': 'zero',
};
// fmt has the same limit.
const MAX_WIDTH = 1_000_000;

function readDirective(format: string, start: number, args: readonly Value[], cursor: Cursor): Directive {
  const flags = { plus: false, minus: false, sharp: false, space: false, zero: false };
  let i = start;
  for (let flag = FLAGS[format[i] ?? '']; flag !== undefined; flag = FLAGS[format[++i] ?? ''])
    flags[flag] = true;
  let problem = '';
  let badIndex = false;
  const index = (): void => {
    const match = /^\[([^\]]*)\]/.exec(format.slice(i));
    if (match === null) return;
    i += match[0].length;
    cursor.reordered = true;
    const wanted = /^\d+$/.test(match[1] ?? '') ? Number(match[1]) : 0;
    if (wanted < 1 || wanted > args.length) badIndex = true;
    else cursor.next = wanted - 1;
  };
  const number = (what: string): number | undefined => {
    index();
    if (format[i] === '*') {
      i++;
      const arg = args[cursor.next++];
      if (arg instanceof Int && arg.value >= -MAX_WIDTH && arg.value <= MAX_WIDTH) return Number(arg.value);
      problem += `%!(BAD${what})`;
      return undefined;
    }
    const digits = /^\d+/.exec(format.slice(i))?.[0];
    if (digits === undefined) return undefined;
    i += digits.length;
    return Number(digits) <= MAX_WIDTH ? Number(digits) : undefined;
  };
  let width = number('WIDTH');
  if (width !== undefined && width < 0) {
    width = -width;
    flags.minus = true;
  }
  let precision: number | undefined;
  if (format[i] === '.') {
    i++;
    precision = number('PREC') ?? (problem === '' ? 0 : undefined);
    if (precision !== undefined && precision < 0) {
      precision = undefined;
      problem += '%!(BADPREC)';
    }
  }
  index();
  const code = format.codePointAt(i);
  const verb = code === undefined ? undefined : String.fromCodePoint(code);
  const zero = flags.zero && !flags.minus;
  return {
    flags: { ...flags, ...(verb === 'v' ? verbMode(flags) : { mode: '' }), zero, width, precision },
    verb,
    problem,
    badIndex,
    end: i + (verb?.length ?? 0),
  };
}

function verbMode(flags: { plus: boolean; sharp: boolean }): Pick<Flags, 'mode' | 'plus' | 'sharp'> {
  return { mode: flags.sharp ? '#' : flags.plus ? '+' : '', plus: false, sharp: false };
}

function expand(directive: Directive, args: readonly Value[], cursor: Cursor, meter: Meter): string {
  const { verb, flags, problem } = directive;
  if (verb === undefined) return `${problem}%!(NOVERB)`;
  if (verb === '%') return `${problem}%`;
  if (directive.badIndex) return `${problem}%!${verb}(BADINDEX)`;
  if (cursor.next >= args.length) return `${problem}%!${verb}(MISSING)`;
  meter.reserve((flags.width ?? 0) + (flags.precision ?? 0));
  return problem + formatArg(args[cursor.next++], verb, flags, meter);
}

function extra(args: readonly Value[], cursor: Cursor, meter: Meter): string {
  if (cursor.reordered || cursor.next >= args.length) return '';
  const rest = args.slice(cursor.next).map((arg) => {
    if (arg === null || arg === undefined) return '<nil>';
    return `${typeOf(arg)}=${sprintf('%v', [arg], meter)}`;
  });
  return `%!(EXTRA ${rest.join(', ')})`;
}
