/** Evaluates the subset of JMESPath that the expectations use: fields, filters, comparisons, `||`, lists, literals, variables and some functions. */
export function evaluate(
  text: string,
  value: unknown,
  variables: Readonly<Record<string, unknown>>,
): unknown {
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;
  const result = or()(value);
  if (at < tokens.length) throw new Error(`Cannot parse expression "${text}": unexpected "${tokens[at]}"`);
  return result;

  function or(): Node {
    const left = comparison();
    return accept('||') ? both(left, or(), (one, other) => one || other) : left;
  }

  function comparison(): Node {
    const left = primary();
    if (accept('==')) return both(left, primary(), (one, other) => one === other);
    if (accept('>')) return both(left, primary(), (one, other) => Number(one) > Number(other));
    return left;
  }

  function primary(): Node {
    const token = tokens[at++] ?? '';
    if (token === '@') return (node) => node;
    if (token.startsWith("'")) return () => token.slice(1, -1);
    if (token.startsWith('`')) return () => JSON.parse(token.slice(1, -1)) as unknown;
    if (token.startsWith('$')) return () => variables[token.slice(1)];
    if (token === '[') {
      const items = list(']');
      return (node) => items.map((item) => item(node));
    }
    if (accept('(')) return call(token, list(')'));
    const field: Node = (node) => (node as Record<string, unknown> | undefined)?.[token];
    if (!accept('[?')) return field;
    const condition = or();
    if (!accept(']')) throw new Error(`Cannot parse expression "${text}": unterminated filter`);
    return (node) => ((field(node) ?? []) as unknown[]).filter((item) => condition(item));
  }

  function list(end: string): Node[] {
    const items: Node[] = [];
    while (!accept(end)) {
      items.push(or());
      accept(',');
    }
    return items;
  }

  function accept(token: string): boolean {
    if (tokens[at] !== token) return false;
    at++;
    return true;
  }
}

type Node = (value: unknown) => unknown;

const TOKEN = /'[^']*'|`[^`]*`|\$\w+|\[\?|\|\||==|[[\](),>@]|\w+/g;

function both(left: Node, right: Node, join: (one: unknown, other: unknown) => unknown): Node {
  return (node) => join(left(node), right(node));
}

function call(name: string, args: readonly Node[]): Node {
  const apply = functions[name];
  if (apply === undefined) throw new Error(`Unknown function "${name}"`);
  return (node) => apply(...args.map((arg) => arg(node)));
}

const functions: Readonly<Record<string, (...args: unknown[]) => unknown>> = {
  contains: (text, part) => String(text).includes(String(part)),
  concat: (one, other) => String(one) + String(other),
  join: (separator, parts) => (parts as unknown[]).join(String(separator)),
  length: (list) => (list as unknown[]).length,
  starts_with: (text, start) => String(text).startsWith(String(start)),
};
