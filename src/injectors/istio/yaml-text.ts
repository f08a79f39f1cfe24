import { isMap, itemsOf, mapGet, sortedKeys, structField } from '../../gotemplate/containers.ts';
import { underlying } from '../../gotemplate/types.ts';
import { Int, Struct, type Value } from '../../gotemplate/values.ts';

/** YAML as Go's sigs.k8s.io/yaml lays it out: block style, sorted keys, lists not indented under their key. */
export function yamlText(value: Value): string {
  const lines: string[] = [];
  write(value, '', lines);
  return `${lines.join('\n')}\n`;
}

function write(value: Value, indent: string, lines: string[]): void {
  const entries = entriesOf(value);
  if (entries !== undefined && entries.length > 0) {
    for (const [key, child] of entries) writeChild(`${indent}${scalarText(key)}:`, child, indent, lines);
    return;
  }
  const items = itemsOf(value);
  if (items !== undefined && items.length > 0) {
    for (const item of items) writeItem(item, indent, lines);
    return;
  }
  lines.push(indent + inline(value));
}

function writeChild(head: string, child: Value, indent: string, lines: string[]): void {
  if (isInline(child)) {
    lines.push(`${head} ${inline(child)}`);
    return;
  }
  lines.push(head);
  write(child, itemsOf(child) === undefined ? `${indent}  ` : indent, lines);
}

function writeItem(item: Value, indent: string, lines: string[]): void {
  if (isInline(item)) {
    lines.push(`${indent}- ${inline(item)}`);
    return;
  }
  const inner: string[] = [];
  write(item, `${indent}  `, inner);
  const [first = '', ...rest] = inner;
  lines.push(`${indent}- ${first.slice(indent.length + 2)}`, ...rest);
}

function entriesOf(value: Value): readonly (readonly [string, Value])[] | undefined {
  if (value instanceof Struct) {
    if (value.raw === null) return undefined;
    const json = value.type.json?.(value.raw);
    if (json !== undefined && json !== value) return entriesOf(json);
    return Object.keys(value.type.fields).map((name) => [name, structField(value, name)] as const);
  }
  return isMap(value) ? sortedKeys(value).map((key) => [key, mapGet(value, key)] as const) : undefined;
}

function isInline(value: Value): boolean {
  return (entriesOf(value)?.length ?? 0) === 0 && (itemsOf(value)?.length ?? 0) === 0;
}

function inline(value: Value): string {
  const plain = underlying(value);
  if (plain === null || plain === undefined) return 'null';
  if (typeof plain === 'string') return scalarText(plain);
  if (typeof plain === 'boolean' || typeof plain === 'number') return String(plain);
  if (plain instanceof Int) return plain.value.toString();
  return itemsOf(value) === undefined ? '{}' : '[]';
}

/** Plain where no reader of YAML 1.1 could take it for anything but this string. */
function scalarText(text: string): string {
  const plain = /^[A-Za-z_/][A-Za-z0-9_./:-]*$/.test(text) && !text.endsWith(':');
  return plain && !/^(y|yes|n|no|true|false|on|off|null)$/i.test(text) ? text : JSON.stringify(text);
}
