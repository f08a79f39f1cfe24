/** Where a cursor is in block-style YAML: the keys around it, and what is being typed. */
export interface YamlPlace {
  readonly apiVersion: string | undefined;
  readonly kind: string | undefined;
  /** The keys from the root to the mapping in which the cursor is, or whose value it writes. */
  readonly path: readonly string[];
  /** Keys that the mapping has already. */
  readonly siblings: readonly string[];
  /** The key whose value is being written; undefined where a key is. */
  readonly key?: string;
  /** The offset of the word before the cursor. */
  readonly from: number;
}

const LINE =
  /^(?<lead> *(?:- +)*(?:-$)?)(?:(?<key>"[^"]*"|'[^']*'|[^\s#'"{[\]},&*!|>%@`][^:#]*?) *:(?=\s|$))?(?<rest>.*)$/;

interface Line {
  readonly indent: number;
  readonly dash: number | undefined;
  readonly key: string | undefined;
  readonly rest: string;
}

/** Undefined inside comments and flow style, which are left to the author. */
export function yamlPlace(text: string, offset: number): YamlPlace | undefined {
  const start = text.lastIndexOf('\n---', offset - 1) + 1;
  const end = text.indexOf('\n---', offset);
  const lines = text
    .slice(start, end < 0 ? undefined : end)
    .split('\n')
    .map(parseLine);
  const before = text.slice(start, offset);
  const index = before.split('\n').length - 1;
  const current = before.slice(before.lastIndexOf('\n') + 1);
  if (/(^|\s)#|[{[]/.test(current)) return undefined;
  const line = parseLine(current);
  const word = /[^\s:]*$/.exec(current)?.[0] ?? '';
  const indent = line.indent;
  const path = pathTo(lines, index, indent, line.dash);
  const place = { apiVersion: rootValue(lines, 'apiVersion'), kind: rootValue(lines, 'kind'), path };
  const siblings = siblingsOf(lines, index, indent);
  if (line.key === undefined) return { ...place, siblings, from: offset - word.length };
  const value = /^\s+(\S*)$/.exec(line.rest)?.[1];
  return value === undefined ? undefined : { ...place, siblings, key: line.key, from: offset - value.length };
}

function parseLine(text: string): Line {
  const { lead = '', key, rest = '' } = LINE.exec(text)?.groups ?? {};
  const dash = lead.indexOf('-');
  const indent = lead.endsWith('-') ? lead.length + 1 : lead.length;
  return {
    indent: key === undefined && rest.trim() === '' && dash < 0 ? text.length : indent,
    dash: dash < 0 ? undefined : dash,
    key: key?.replace(/^(["'])(.*)\1$/, '$2'),
    rest,
  };
}

function isEmpty({ key, dash, rest }: Line): boolean {
  return key === undefined && dash === undefined && /^\s*(#.*)?$/.test(rest);
}

function pathTo(lines: readonly Line[], index: number, indent: number, dash: number | undefined): string[] {
  const path: string[] = [];
  let limit = indent;
  // The keys of a list may have the indentation of its dashes.
  let dashes = dash;
  for (let above = index - 1; above >= 0 && (limit > 0 || dashes !== undefined); above--) {
    const line = lines[above];
    if (line === undefined || isEmpty(line)) continue;
    if (dashes === undefined && line.indent === limit && line.dash !== undefined) dashes = line.dash;
    const isParent = line.indent < limit || (dashes !== undefined && line.indent <= dashes);
    if (line.key === undefined || !isParent || (dashes !== undefined && line.indent > dashes)) continue;
    path.unshift(line.key);
    limit = line.indent;
    dashes = line.dash;
  }
  return path;
}

function siblingsOf(lines: readonly Line[], index: number, indent: number): string[] {
  const keys: string[] = [];
  const visit = (from: number, step: 1 | -1) => {
    for (let at = from; at >= 0 && at < lines.length; at += step) {
      const line = lines[at];
      if (line === undefined || isEmpty(line)) continue;
      if (line.indent < indent || (step === 1 && line.dash !== undefined && line.indent <= indent)) return;
      if (line.indent === indent && line.key !== undefined) keys.push(line.key);
      if (step === -1 && line.dash !== undefined && line.indent === indent) return;
    }
  };
  if (lines[index]?.dash === undefined) visit(index - 1, -1);
  visit(index + 1, 1);
  return keys;
}

function rootValue(lines: readonly Line[], key: string): string | undefined {
  const line = lines.find((candidate) => candidate.indent === 0 && candidate.key === key);
  return line?.rest
    .replace(/\s#.*/, '')
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2');
}
