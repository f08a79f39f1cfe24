import { at, type DeepReadonly, type Pod, type Volume } from '../../sdk/index.ts';

/** A ServiceAccount token, which the kubelet renews in a projected volume. */
export interface Token {
  readonly volume: string;
  readonly mountPath: string;
  /** Relative to the volume. */
  readonly path: string;
  readonly audience: string;
  readonly expirationSeconds: number;
}

export function tokenVolume({ volume, path, audience, expirationSeconds }: Token) {
  const serviceAccountToken =
    audience === '' ? { expirationSeconds, path } : { audience, expirationSeconds, path };
  return at('first', { name: volume, projected: { sources: [{ serviceAccountToken }] } });
}

/** Whether an existing volume can be used: it has a token at the expected path, with any audience and lifetime. */
export function holdsToken({ projected }: DeepReadonly<Volume>, { path }: Token): boolean {
  const sources: unknown = projected?.sources;
  if (!Array.isArray(sources)) return false;
  return sources.some((source) => source?.serviceAccountToken?.path === path);
}

/** The path of a mounted file as programs see it. On Windows it has a drive letter, unlike the mount path. */
export function visiblePath(file: string, { spec }: DeepReadonly<Pod>): string {
  const selector = spec?.nodeSelector;
  const isForWindows =
    selector?.['kubernetes.io/os'] === 'windows' || selector?.['beta.kubernetes.io/os'] === 'windows';
  return isForWindows ? `C:${file.replaceAll('/', '\\')}` : file;
}

/** Like Go's path.Join for an absolute directory: `//`, `.` and `..` are resolved. */
export function joinPath(directory: string, file: string): string {
  const segments: string[] = [];
  for (const segment of `${directory}/${file}`.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

/** Whether two mounts collide. A trailing slash does not matter to the runtime, though it does to the API server. */
export function isSamePath(one: string, other: string): boolean {
  return one === other || withoutSlashes(one) === withoutSlashes(other);
}

/** A loop: the time of `/\/+$/` is quadratic in slashes that are not at the end. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}
