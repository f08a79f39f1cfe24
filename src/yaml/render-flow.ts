import type { Scalar } from 'yaml';
import type { Edit } from './edit.ts';
import { contentOf, isPatched, type PatchedNode } from './patch-tree.ts';
import { renderKey, renderScalar } from './render-scalar.ts';
import { effectiveEntries, type YamlNode } from './yaml-tree.ts';

/** How a flow collection is formatted. */
export interface FlowStyle {
  readonly json: boolean;
  /** A colon without a space is only valid after a quoted key, so it is used in JSON only. */
  readonly colon: ': ' | ':';
  readonly comma: ', ' | ',';
  /** Whether each item has its own line. */
  readonly lines: boolean;
}

/** A flow collection on one line, in the usual style. */
export const INLINE_FLOW: FlowStyle = { json: false, colon: ': ', comma: ', ', lines: false };

/** A node in flow style. `indent` is the indentation of its first line, `type` the style of a scalar if it is not its own. */
export function renderFlow(
  edit: Edit,
  node: PatchedNode,
  indent: string,
  flow: FlowStyle,
  type?: Scalar.Type,
): string {
  const content = contentOf(node);
  if (!isPatched(content)) {
    const isString = typeof content.value === 'string';
    return flow.json && isString ? JSON.stringify(content.value) : renderScalar(edit, content, true, type);
  }
  const { eol, step, padding } = edit.style;
  const isMap = content.kind === 'patched-map';
  const inner = flow.lines ? indent + ' '.repeat(step) : indent;
  const old = content.source && effectiveEntries(content.source);
  const items = isMap
    ? [...content.entries].map(([name, child]) => {
        const key = renderFlowKey(edit, name, old?.get(name)?.key, flow);
        return key + renderFlow(edit, child, inner, flow);
      })
    : content.items.map((item) => renderFlow(edit, item.node, inner, flow));
  const [open, close] = isMap ? '{}' : '[]';
  if (items.length === 0) return `${open}${close}`;
  if (flow.lines) return `${open}${eol}${inner}${items.join(`,${eol}${inner}`)}${eol}${indent}${close}`;
  const pad = padding && isMap && !flow.json ? ' ' : '';
  return `${open}${pad}${items.join(flow.comma)}${pad}${close}`;
}

/** A key, which may be a copy of another, with its colon. */
export function renderFlowKey(edit: Edit, name: string, key: YamlNode | undefined, flow: FlowStyle): string {
  return (flow.json ? JSON.stringify(name) : renderKey(edit, name, key, true)) + flow.colon;
}
