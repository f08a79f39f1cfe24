/** Where the Filebeat image keeps the program and its configuration. */
const FILEBEAT_HOME = '/usr/share/filebeat';
export const FILEBEAT_CONFIG = `${FILEBEAT_HOME}/filebeat.yml`;

/** Container runtimes reject mounts here, or the mount replaces devices such as /dev/stdout. */
const KERNEL_DIRECTORIES = ['/dev', '/proc', '/sys'];

/** Programs and their libraries. Subdirectories such as /etc/app are safe to mount over. */
const SYSTEM_DIRECTORY = /^\/(etc|usr\/local|(usr\/(local\/)?)?(bin|sbin|lib(32|64|x32|exec)?))$/;

/** Why a log volume cannot be mounted at a directory; undefined if it can. */
export function mountObstacle(directory: string): string | undefined {
  const kernels = KERNEL_DIRECTORIES.find((path) => isAtOrInside(directory, path));
  if (kernels !== undefined && !isAtOrInside(directory, '/dev/shm'))
    return `"${kernels}" belongs to the kernel and contains no log files`;
  if (directory === FILEBEAT_CONFIG || isAtOrInside(FILEBEAT_HOME, directory))
    return `a volume at "${directory}" would hide Filebeat itself`;
  if (SYSTEM_DIRECTORY.test(directory))
    return `a volume at "${directory}" would hide files that containers need to run`;
  return undefined;
}

export function isAtOrInside(path: string, directory: string): boolean {
  return path === directory || isInside(path, directory);
}

export function isInside(path: string, directory: string): boolean {
  return path.startsWith(directory) && path[directory.length] === '/';
}

/** Removes `//`, `/./` and a trailing slash, so that equal paths compare equal. */
export function normalPath(path: string): string {
  // Fast path: this runs for every mount of every container, and nearly all are normal.
  if (path.startsWith('/') && !path.endsWith('/') && !path.includes('//') && !path.includes('/.'))
    return path;
  return `/${path
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/')}`;
}
