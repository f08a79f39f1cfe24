import { isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml';
import { flowScalarText } from './scalar-text.ts';
import type { Style } from './style.ts';
import { Unspliceable } from './unspliceable.ts';

/** How a flow collection is written. */
export interface FlowStyle {
  readonly json: boolean;
  /** `{"a":1}` is valid only with quoted keys, so `:` stands alone in JSON only. */
  readonly colon: ': ' | ':';
  readonly comma: ', ' | ',';
  /** Items stand on lines of their own, each level so much further right. */
  readonly lines: boolean;
}

/** A value on one line, or on as many as its items need; `indent` is that of the line it begins on. */
export function renderFlow(node: Node, indent: string, flow: FlowStyle, style: Style): string {
  if (!isMap(node) && !isSeq(node)) return scalarText(node, flow, style);
  const inner = flow.lines ? indent + ' '.repeat(style.step) : indent;
  const items = isMap(node)
    ? node.items.map(({ key, value }) => renderPair(key as Node, value as Node | null, inner, flow, style))
    : node.items.map((item) => renderFlow(item as Node, inner, flow, style));
  const [open, close] = isMap(node) ? '{}' : '[]';
  if (items.length === 0) return `${open}${close}`;
  if (flow.lines) {
    return `${open}${style.eol}${inner}${items.join(`,${style.eol}${inner}`)}${style.eol}${indent}${close}`;
  }
  const pad = style.padding && isMap(node) && !flow.json ? ' ' : '';
  return `${open}${pad}${items.join(flow.comma)}${pad}${close}`;
}

export function renderPair(
  key: Node,
  value: Node | null,
  indent: string,
  flow: FlowStyle,
  style: Style,
): string {
  const text = value === null ? 'null' : renderFlow(value, indent, flow, style);
  const name =
    flow.json && isScalar(key) ? JSON.stringify(String(key.value ?? '')) : scalarText(key, flow, style);
  return `${name}${flow.colon}${text}`;
}

function scalarText(node: Node, { json }: FlowStyle, style: Style): string {
  if (!isScalar(node)) throw new Unspliceable('an alias in new text');
  if (!json) return flowScalarText(node, style);
  return isJsonNumber(node) ? node.source : JSON.stringify(node.value);
}

function isJsonNumber(node: Scalar): node is Scalar & { source: string } {
  return typeof node.value === 'number' && /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(node.source ?? '');
}
