/** One step of a location: into a field, into the list elements with a key, or into all elements of a list. */
export type LocationNode =
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'element'; readonly key: string; readonly value: string | bigint }
  | { readonly type: 'glob'; readonly key: string };

/** A parsed `location`, such as `spec.containers[name: *].image`. */
export interface Location {
  /** As it was written. */
  readonly text: string;
  readonly nodes: readonly LocationNode[];
}

/** The first `length` steps as text. */
export function locationText(nodes: readonly LocationNode[], length = nodes.length): string {
  let text = '';
  for (const node of nodes.slice(0, length)) {
    if (node.type === 'field') text += `${text === '' ? '' : '.'}${quoted(node.name)}`;
    else text += `[${quoted(node.key)}: ${node.type === 'glob' ? '*' : valueText(node.value)}]`;
  }
  return text;
}

export function sameNode(one: LocationNode, other: LocationNode | undefined): boolean {
  if (one.type !== other?.type) return false;
  if (one.type === 'field') return one.name === (other as typeof one).name;
  if (one.key !== (other as typeof one).key) return false;
  return one.type === 'glob' || one.value === (other as typeof one).value;
}

function valueText(value: string | bigint): string {
  return typeof value === 'bigint' ? String(value) : quoted(value);
}

function quoted(name: string): string {
  return /^[A-Za-z_-][A-Za-z0-9_-]*$/.test(name) ? name : JSON.stringify(name);
}
