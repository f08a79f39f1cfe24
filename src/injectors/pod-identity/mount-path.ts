/** A file in a directory, without the slashes that a setting may have too many. */
export function joinPath(directory: string, file: string): string {
  return `${directory}/${file}`.replace(/\/(\.?\/)+/g, '/');
}

/** Whether two mounts would lie over each other, though the API server tells them by a slash at the end. */
export function isSamePath(one: string, other: string): boolean {
  return one === other || withoutSlash(one) === withoutSlash(other);
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.replace(/\/+$/, '') : path;
}
