/** One path without `//`, `/./` and a slash at the end, so that two ways to write it are the same. */
export function normalPath(path: string): string {
  // Nearly all are that way already, and every mount of every container is looked at.
  if (path.startsWith('/') && !path.endsWith('/') && !path.includes('//') && !path.includes('/.'))
    return path;
  return `/${path
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/')}`;
}

export function isInside(path: string, directory: string): boolean {
  return path.startsWith(directory) && path[directory.length] === '/';
}
