/** What the part of the address after # restores. */
export interface Address {
  readonly tab: 'playground' | 'requests';
  /** The text of the editor, or the sample that it has. */
  readonly yaml?: string | undefined;
  readonly sample?: string | undefined;
  readonly operation?: string | undefined;
  readonly off?: readonly string[] | undefined;
  readonly order?: readonly string[] | undefined;
  /** The document of which the result is shown. */
  readonly document?: number | undefined;
  readonly stop?: string | undefined;
  readonly uid?: string | undefined;
  readonly namespace?: string | undefined;
  readonly injector?: string | undefined;
  readonly verdict?: string | undefined;
}

export async function readAddress(hash: string): Promise<Address> {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const values = new URLSearchParams(query);
  const yaml = values.get('yaml');
  const text = yaml === null ? undefined : await inflate(yaml).catch(() => undefined);
  return {
    ...defined(Object.fromEntries(TEXTS.map((name) => [name, values.get(name) ?? undefined]))),
    ...defined(Object.fromEntries(LISTS.map((name) => [name, values.get(name)?.split(',')]))),
    ...defined({ yaml: text, document: Number(values.get('document')) || undefined }),
    tab: path === 'requests' ? 'requests' : 'playground',
  };
}

export async function writeAddress(address: Address): Promise<string> {
  const values = new URLSearchParams();
  for (const name of TEXTS) if (address[name]) values.set(name, address[name]);
  for (const name of LISTS) if (address[name]?.length) values.set(name, address[name].join(','));
  if (address.document) values.set('document', String(address.document));
  if (address.yaml !== undefined) values.set('yaml', await deflate(address.yaml));
  const query = values.toString();
  return `#/${address.tab}${query === '' ? '' : `?${query}`}`;
}

const TEXTS = ['sample', 'operation', 'stop', 'uid', 'namespace', 'injector', 'verdict'] as const;
const LISTS = ['off', 'order'] as const;

function defined<T extends object>(values: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}

async function deflate(text: string): Promise<string> {
  const bytes = await piped(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

async function inflate(text: string): Promise<string> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return new TextDecoder().decode(await piped(bytes, new DecompressionStream('deflate-raw')));
}

async function piped(bytes: Uint8Array<ArrayBuffer>, through: GenericTransformStream): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(through);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
