import { quote } from '../golang/strconv.ts';
import type { Token } from './lex.ts';
import type { CommandNode, Operand, PipeNode } from './nodes.ts';
import { numberNode } from './number-node.ts';
import {
  fail,
  isKeyword,
  nested,
  type Parser,
  peek,
  peekNonSpace,
  stringValue,
  take,
  unexpected,
} from './parser.ts';

/** Parses a pipeline and the token that ends it: optional variables, then commands separated by bars. */
export function parsePipe(parser: Parser, context: string, end: 'close' | ')'): PipeNode {
  const { pos } = peekNonSpace(parser);
  const { variables, assign } = parseDeclarations(parser, context);
  const commands: CommandNode[] = [];
  for (;;) {
    const token = peekNonSpace(parser);
    if (token.type === end) break;
    if (!startsOperand(token)) return unexpected(parser, take(parser), context);
    commands.push(parseCommand(parser));
  }
  take(parser);
  checkPipe(parser, commands, context);
  return { type: 'pipe', pos, assign, variables, commands };
}

const OPERANDS = new Set([
  'bool',
  'rune',
  'complex',
  'field',
  'identifier',
  'number',
  'raw string',
  'string',
  'variable',
  '(',
]);

function startsOperand(token: Token): boolean {
  return OPERANDS.has(token.type) || isKeyword(token, '.') || isKeyword(token, 'nil');
}

function parseDeclarations(parser: Parser, context: string): { variables: string[]; assign: boolean } {
  const variables: string[] = [];
  while (peekNonSpace(parser).type === 'variable') {
    const start = parser.next;
    const name = take(parser).text;
    const next = peekNonSpace(parser);
    if (next.type === '=' || next.type === ':=') {
      take(parser);
      declare(parser, variables, name);
      return { variables, assign: next.type === '=' };
    }
    if (next.type !== 'char' || next.text !== ',') {
      parser.next = start;
      break;
    }
    take(parser);
    declare(parser, variables, name);
    if (context !== 'range' || variables.length > 1) fail(parser, `too many declarations in ${context}`);
    if (!['variable', 'close', ')'].includes(peekNonSpace(parser).type)) {
      fail(parser, 'range can only initialize variables');
    }
  }
  return { variables, assign: false };
}

function declare(parser: Parser, variables: string[], name: string): void {
  variables.push(name);
  parser.scope.variables.push(name);
}

function checkPipe(parser: Parser, commands: readonly CommandNode[], context: string): void {
  if (commands.length === 0) fail(parser, `missing value for ${context}`);
  const constants = ['bool', 'dot', 'nil', 'number', 'string'];
  const stage = commands.findIndex((command, i) => i > 0 && constants.includes(command.args[0].type));
  if (stage > 0) fail(parser, `non executable command in pipeline stage ${stage + 1}`);
}

function parseCommand(parser: Parser): CommandNode {
  const { pos } = peekNonSpace(parser);
  const args: Operand[] = [];
  for (;;) {
    peekNonSpace(parser);
    const operand = parseOperand(parser);
    if (operand !== undefined) args.push(operand);
    const token = peek(parser);
    if (token.type === 'space') {
      take(parser);
      continue;
    }
    if (token.type === '|') take(parser);
    else if (token.type !== 'close' && token.type !== ')') unexpected(parser, take(parser), 'operand');
    break;
  }
  const [first, ...rest] = args;
  return first === undefined
    ? fail(parser, 'empty command')
    : { type: 'command', pos, args: [first, ...rest] };
}

function parseOperand(parser: Parser): Operand | undefined {
  const term = parseTerm(parser);
  if (term === undefined || peek(parser).type !== 'field') return term;
  const { pos } = peek(parser);
  const path: string[] = [];
  while (peek(parser).type === 'field') path.push(take(parser).text.slice(1));
  switch (term.type) {
    case 'field':
      return { type: 'field', pos, path: [...term.path, ...path] };
    case 'variable':
      return { ...term, pos, path };
    case 'bool':
    case 'string':
    case 'number':
    case 'nil':
    case 'dot':
      return fail(parser, `unexpected . after term ${quote(termText(term))}`);
  }
  return { type: 'chain', pos, base: term, path };
}

function termText(term: Operand): string {
  if (term.type === 'bool') return String(term.value);
  if (term.type === 'string' || term.type === 'number') return term.text;
  return term.type === 'nil' ? 'nil' : '.';
}

function parseTerm(parser: Parser): Operand | undefined {
  const token = peekNonSpace(parser);
  const { pos, text } = token;
  if (!startsOperand(token)) return undefined;
  take(parser);
  switch (token.type) {
    case 'identifier':
      if (!parser.source.hasFunction(text)) fail(parser, `function ${quote(text)} not defined`);
      return { type: 'identifier', name: text, pos };
    case 'variable':
      if (!parser.scope.variables.includes(text)) fail(parser, `undefined variable ${quote(text)}`);
      return { type: 'variable', name: text, path: [], pos };
    case 'field':
      return { type: 'field', path: [text.slice(1)], pos };
    case 'bool':
      return { type: 'bool', value: text === 'true', pos };
    case 'string':
    case 'raw string':
      return { type: 'string', text, value: stringValue(parser, token), pos };
    case '(':
      return nested(parser, () => parsePipe(parser, 'parenthesized pipeline', ')'));
    case 'keyword':
      return { type: text === 'nil' ? 'nil' : 'dot', pos };
  }
  const number = numberNode(token);
  return typeof number === 'string' ? fail(parser, number) : number;
}
