import { daysInMonth } from '../../golang/calendar.ts';
import { byteLength } from '../../golang/utf8.ts';
import { uriProblem } from './url.ts';

/** A named format of strings, with the messages of Kubernetes' own validation. */
export interface NamedFormat {
  readonly name: string;
  /** The length of the regular expression that its cost is computed from. */
  readonly patternLength: number;
  /** Empty if the text is valid. */
  readonly problems: (text: string) => string[];
}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const isLabel = matcher(LABEL);
const isLabel1035 = matcher(LABEL_1035);
const isSubdomain = (text: string) => text.split('.').every(isLabel);
const isName = matcher(NAME);

const MUST_ENDS = 'and must start and end with an alphanumeric character';
const LABEL_PROBLEM = patternProblem(
  `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ${MUST_ENDS}`,
  LABEL,
  ['my-name', '123-abc'],
);
const LABEL_1035_PROBLEM = patternProblem(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  LABEL_1035,
  ['my-name', 'abc-123'],
);
const SUBDOMAIN_PROBLEM = patternProblem(
  `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${MUST_ENDS}`,
  SUBDOMAIN,
  ['example.com'],
);
const NAME_PROBLEM = patternProblem(
  `must consist of alphanumeric characters, '-', '_' or '.', ${MUST_ENDS}`,
  NAME,
  ['MyName', 'my.name', '123-abc'],
);
const LABEL_VALUE_PROBLEM = patternProblem(
  `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ${MUST_ENDS}`,
  `(${NAME})?`,
  ['MyValue', 'my_value', '12345'],
);

const DATE_TIME_LENGTH = 71;

type Row = readonly [key: string, name: string, patternLength: number, problems: NamedFormat['problems']];

const ROWS: readonly Row[] = [
  ['dns1123Label', 'DNS1123Label', 30, labelProblems],
  ['dns1123Subdomain', 'DNS1123Subdomain', 60, subdomainProblems],
  ['dns1035Label', 'DNS1035Label', 30, label1035Problems],
  ['qualifiedName', 'QualifiedName', 60, qualifiedNameProblems],
  ['dns1123LabelPrefix', 'DNS1123LabelPrefix', 30, asPrefix(labelProblems)],
  ['dns1123SubdomainPrefix', 'DNS1123SubdomainPrefix', 60, asPrefix(subdomainProblems)],
  ['dns1035LabelPrefix', 'DNS1035LabelPrefix', 30, asPrefix(label1035Problems)],
  ['labelValue', 'LabelValue', 40, labelValueProblems],
  ['uri', 'URI', 1103, (text) => listed(uriProblem(text))],
  ['uuid', 'uuid', 70, (text) => unless(UUID.test(text), 'does not match the UUID format')],
  ['byte', 'byte', 84, (text) => unless(isBase64(text), 'invalid base64')],
  ['date', 'date', DATE_TIME_LENGTH, (text) => unless(isDate(text), 'invalid date')],
  ['datetime', 'datetime', DATE_TIME_LENGTH, (text) => unless(isDateTime(text), 'invalid datetime')],
];

/** By the name that `format.named` takes. */
export const NAMED_FORMATS: ReadonlyMap<string, NamedFormat> = new Map(
  ROWS.map(([key, name, patternLength, problems]) => [key, { name, patternLength, problems }]),
);

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

function labelProblems(text: string): string[] {
  const tooLong = unless(byteLength(text) <= 63, 'must be no more than 63 characters');
  if (isLabel(text)) return tooLong;
  return [...tooLong, isSubdomain(text) ? 'must not contain dots' : LABEL_PROBLEM];
}

function label1035Problems(text: string): string[] {
  return [
    ...unless(byteLength(text) <= 63, 'must be no more than 63 characters'),
    ...unless(isLabel1035(text), LABEL_1035_PROBLEM),
  ];
}

function subdomainProblems(text: string, unit = 'characters'): string[] {
  return [
    ...unless(byteLength(text) <= 253, `must be no more than 253 ${unit}`),
    ...unless(isSubdomain(text), SUBDOMAIN_PROBLEM),
  ];
}

function qualifiedNameProblems(text: string): string[] {
  const parts = text.split('/');
  if (parts.length > 2)
    return [
      `a valid label key ${NAME_PROBLEM} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  const [prefix] = parts.slice(0, -1);
  const name = parts.at(-1) ?? '';
  return [
    ...(prefix === undefined ? [] : prefixProblems(prefix)).map((problem) => `prefix part ${problem}`),
    ...unless(name !== '', 'name part must be non-empty'),
    ...unless(byteLength(name) <= 63, 'name part must be no more than 63 bytes'),
    ...unless(isName(name), `name part ${NAME_PROBLEM}`),
  ];
}

function prefixProblems(prefix: string): string[] {
  return prefix === '' ? ['must be non-empty'] : subdomainProblems(prefix, 'bytes');
}

function labelValueProblems(text: string): string[] {
  return [
    ...unless(byteLength(text) <= 63, 'must be no more than 63 bytes'),
    ...unless(text === '' || isName(text), LABEL_VALUE_PROBLEM),
  ];
}

/** A prefix may end in a dash, since more text follows. Like apimachinery, replaces the last two bytes. */
function asPrefix(problems: NamedFormat['problems']): NamedFormat['problems'] {
  return (text) => problems(text.length > 1 && text.endsWith('-') ? text.replace(LAST_TWO, masked) : text);
}

const LAST_TWO = /(.)-$/su;

/** Of a character with several bytes, the first remain. */
function masked(_: string, char: string): string {
  return char > '\x7f' ? '\ufffda' : 'a';
}

/** Padded, and not empty. */
function isBase64(text: string): boolean {
  return text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function isDate(text: string): boolean {
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** Any character may stand for the decimal point, and what follows another `t` is ignored. */
function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  const match = /^(\d\d):(\d\d):(\d\d)(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/u.exec(time);
  if (match === null || !isDate(date)) return false;
  return Number(match[1]) <= 23 && Number(match[2]) <= 59 && Number(match[3]) <= 59;
}

function matcher(pattern: string): (text: string) => boolean {
  const whole = new RegExp(`^${pattern}$`);
  return (text) => whole.test(text);
}

function patternProblem(message: string, pattern: string, examples: readonly string[]): string {
  const quoted = examples.map((example) => `'${example}', `).join(' or ');
  return `${message} (e.g. ${quoted}regex used for validation is '${pattern}')`;
}

function unless(isValid: boolean, problem: string): string[] {
  return isValid ? [] : [problem];
}

function listed(problem: string | undefined): string[] {
  return problem === undefined ? [] : [problem];
}
