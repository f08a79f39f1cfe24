export interface ImageParts {
  readonly domain: string;
  readonly path: string;
  /** With its `:` or `@`; a tag and a digest are one part. */
  readonly tag: string;
}

/** Splits an image reference like Gatekeeper, unlike registries: `a/b` has no domain. */
export function splitImage(image: string): ImageParts {
  const slash = image.indexOf('/');
  const head = slash < 0 ? '' : image.slice(0, slash);
  const domain = /[.:]/.test(head) || head === 'localhost' ? head : '';
  const rest = domain === '' ? image : image.slice(slash + 1);
  const end = rest.search(/[:@]/);
  if (end < 0) return { domain, path: rest, tag: '' };
  return { domain, path: rest.slice(0, end), tag: rest.slice(end) };
}

/** Replaces the parts that are not empty. */
export function replaceParts(image: string, parts: ImageParts): string {
  const old = splitImage(image);
  const domain = parts.domain || old.domain;
  const path = parts.path || old.path;
  return `${domain === '' ? '' : `${domain}/`}${path}${parts.tag || old.tag}`;
}

/** Why a part would be split differently the next time, so that the mutation would never settle. */
export function partsProblem({ domain, path, tag }: ImageParts): PartsProblem | undefined {
  if (domain === '' && path === '' && tag === '') {
    return { fields: [], message: 'expected at least one of assignDomain, assignPath and assignTag' };
  }
  if (domain !== '' && !DOMAIN.test(domain)) {
    return at('assignDomain', `expected a domain such as "registry.example.com:5000", found "${domain}"`);
  }
  if (path !== '' && !PATH.test(path)) {
    return at('assignPath', `expected a path such as "library/nginx", found "${path}"`);
  }
  if (tag !== '' && !TAG.test(tag)) {
    return at('assignTag', `expected ":tag" or "@sha256:digest", found "${tag}"`);
  }
  if (domain !== '' || splitImage(path).domain === '') return undefined;
  return at('assignPath', `"${path}" begins like a domain: set assignDomain too`);
}

export interface PartsProblem {
  /** The field of `parameters`, if it is a single one. */
  readonly fields: readonly string[];
  readonly message: string;
}

function at(field: string, message: string): PartsProblem {
  return { fields: [field], message };
}

const DOMAIN = /^(?:\w[\w-]*\.[\w.-]*\w|localhost)(?::[0-9]+)?$/;
const PATH = /^[a-z0-9]+(?:(?:[._/]|__|-+)[a-z0-9]+)*$/;
const TAG = /^(?::\w[\w.-]{0,127}|@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9A-Fa-f]{32,})$/;
