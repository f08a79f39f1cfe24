export interface Token {
  readonly type: 'key' | 'punctuation' | 'string' | 'comment' | 'plain';
  readonly text: string;
}

const PARTS =
  /^(?<lead>\s*(?:- +)*)(?:(?<key>"(?:[^"\\]|\\.)*"|'[^']*'|[^\s#"'{[\]},:](?:[^:#]|:(?=\S)|(?<=\S)#)*?)(?<colon>:)(?=\s|$))?(?<rest>.*)$/;

/** Splits one line of block-style YAML for colouring. */
export function yamlTokens(line: string): readonly Token[] {
  const { lead = '', key, colon = '', rest = '' } = PARTS.exec(line)?.groups ?? { rest: line };
  const tokens: Token[] = [{ type: 'punctuation', text: lead }];
  if (key !== undefined) tokens.push({ type: 'key', text: key }, { type: 'punctuation', text: colon });
  const comment = /(?:^|\s)#.*$/.exec(isQuoted(rest) ? '' : rest);
  const value = comment === null ? rest : rest.slice(0, comment.index);
  tokens.push({ type: valueType(value.trim()), text: value });
  if (comment !== null) tokens.push({ type: 'comment', text: comment[0] });
  return tokens.filter(({ text }) => text !== '');
}

function isQuoted(rest: string): boolean {
  return /^\s*(["'])(?:(?!\1).)*\1\s*$/.test(rest);
}

function valueType(value: string): Token['type'] {
  if (/^["']/.test(value)) return 'string';
  if (/^[|>][-+\d]*$/.test(value)) return 'punctuation';
  return 'plain';
}
