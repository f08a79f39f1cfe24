import { quote } from '../golang/strconv.ts';
import { lex } from './lex.ts';
import type { BranchNode, Node } from './nodes.ts';
import { parsePipe } from './parse-pipe.ts';
import {
  expect,
  fail,
  isKeyword,
  nested,
  type Parser,
  peek,
  peekNonSpace,
  type Source,
  stringValue,
  take,
  takeNonSpace,
  unexpected,
} from './parser.ts';

/** The templates of a text by name: the text itself, and those that it defines. */
export type Trees = ReadonlyMap<string, readonly Node[]>;

/** Parses a template text. Throws a TemplateError for the first syntax error. */
export function parse(source: Source): Trees {
  const parser: TreeParser = {
    source,
    tokens: lex(source.text, source.hasFunction),
    next: 0,
    furthest: 0,
    trees: new Map(),
    scope: { variables: ['$'], ranges: 0 },
    action: undefined,
    depth: 0,
  };
  const body: Node[] = [];
  while (peek(parser).type !== 'eof') {
    if (startsDefine(parser)) {
      parseDefine(parser);
      continue;
    }
    const node = textOrAction(parser);
    if ('ends' in node) return fail(parser, `unexpected {{${node.ends}}}`);
    body.push(node);
  }
  addTree(parser, source.name, body);
  return parser.trees;
}

interface TreeParser extends Parser {
  readonly trees: Map<string, readonly Node[]>;
}

/** {{end}} or {{else}}, which end a list of nodes. */
interface Ending {
  readonly ends: 'end' | 'else';
}

function startsDefine(parser: TreeParser): boolean {
  if (peek(parser).type !== 'open') return false;
  const start = parser.next;
  take(parser);
  if (isKeyword(takeNonSpace(parser), 'define')) return true;
  parser.next = start;
  return false;
}

function parseDefine(parser: TreeParser): void {
  const context = 'define clause';
  const name = stringValue(parser, expect(parser, ['string', 'raw string'], context));
  expect(parser, ['close'], context);
  parseTree(parser, name, context);
}

/** Parses the body of a define or block. Only $ is in scope. */
function parseTree(parser: TreeParser, name: string, context: string): void {
  const outer = parser.scope;
  parser.scope = { variables: ['$'], ranges: 0 };
  const [body, ending] = nodeList(parser);
  if (ending.ends !== 'end') fail(parser, `unexpected {{${ending.ends}}} in ${context}`);
  addTree(parser, name, body);
  parser.scope = outer;
}

function addTree(parser: TreeParser, name: string, body: readonly Node[]): void {
  const known = parser.trees.get(name);
  if (known === undefined || isBlank(known)) parser.trees.set(name, body);
  else if (!isBlank(body)) fail(parser, `template: multiple definition of template ${quote(name)}`);
}

function isBlank(body: readonly Node[]): boolean {
  return body.every((node) => node.type === 'text' && node.text.trim() === '');
}

function nodeList(parser: TreeParser): [Node[], Ending] {
  const nodes: Node[] = [];
  while (peekNonSpace(parser).type !== 'eof') {
    const node = textOrAction(parser);
    if ('ends' in node) return [nodes, node];
    nodes.push(node);
  }
  return fail(parser, 'unexpected EOF');
}

function textOrAction(parser: TreeParser): Node | Ending {
  const token = takeNonSpace(parser);
  if (token.type === 'text') return { type: 'text', text: token.text, pos: token.pos };
  if (token.type !== 'open') return unexpected(parser, token, 'input');
  parser.action = token;
  const node = parseAction(parser);
  parser.action = undefined;
  return node;
}

function parseAction(parser: TreeParser): Node | Ending {
  const token = peekNonSpace(parser);
  switch (token.type === 'keyword' ? token.text : '') {
    case 'block':
      take(parser);
      return parseBlock(parser);
    case 'break':
    case 'continue':
      take(parser);
      return parseJump(parser, token.text as 'break' | 'continue', token.pos);
    case 'else':
      take(parser);
      return parseElse(parser);
    case 'end':
      take(parser);
      expect(parser, ['close'], 'end');
      return { ends: 'end' };
    case 'if':
    case 'range':
    case 'with':
      take(parser);
      return nested(parser, () => parseBranch(parser, token.text as BranchNode['type']));
    case 'template':
      take(parser);
      return parseTemplateCall(parser);
  }
  return { type: 'action', pos: token.pos, pipe: parsePipe(parser, 'command', 'close') };
}

function parseJump(parser: TreeParser, type: 'break' | 'continue', pos: number): Node {
  const token = takeNonSpace(parser);
  if (token.type !== 'close') unexpected(parser, token, `{{${type}}}`);
  if (parser.scope.ranges === 0) fail(parser, `{{${type}}} outside {{range}}`);
  return { type, pos };
}

function parseElse(parser: TreeParser): Ending {
  const token = peekNonSpace(parser);
  // The branch that "else if" or "else with" ends parses the second word.
  if (!isKeyword(token, 'if') && !isKeyword(token, 'with')) expect(parser, ['close'], 'else');
  return { ends: 'else' };
}

function parseBranch(parser: TreeParser, type: BranchNode['type']): BranchNode {
  const { scope } = parser;
  const mark = scope.variables.length;
  const pipe = parsePipe(parser, type, 'close');
  if (type === 'range') scope.ranges++;
  const [body, ending] = nodeList(parser);
  if (type === 'range') scope.ranges--;
  const otherwise = ending.ends === 'else' ? parseOtherwise(parser, type) : undefined;
  scope.variables.length = mark;
  return { type, pos: pipe.pos, pipe, body, otherwise };
}

function parseOtherwise(parser: TreeParser, type: BranchNode['type']): Node[] {
  if (type !== 'range' && isKeyword(peek(parser), type)) {
    take(parser);
    return [nested(parser, () => parseBranch(parser, type))];
  }
  const [body, ending] = nodeList(parser);
  if (ending.ends !== 'end') fail(parser, `expected end; found {{${ending.ends}}}`);
  return body;
}

function parseBlock(parser: TreeParser): Node {
  const context = 'block clause';
  const [name, pos] = templateName(parser, context);
  const pipe = parsePipe(parser, context, 'close');
  parseTree(parser, name, context);
  return { type: 'template', name, pipe, pos };
}

function parseTemplateCall(parser: TreeParser): Node {
  const context = 'template clause';
  const [name, pos] = templateName(parser, context);
  if (peekNonSpace(parser).type !== 'close')
    return { type: 'template', name, pos, pipe: parsePipe(parser, context, 'close') };
  take(parser);
  return { type: 'template', name, pos, pipe: undefined };
}

function templateName(parser: TreeParser, context: string): [string, number] {
  const token = takeNonSpace(parser);
  if (token.type !== 'string' && token.type !== 'raw string') return unexpected(parser, token, context);
  return [stringValue(parser, token), token.pos];
}
