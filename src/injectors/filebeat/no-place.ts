import { isInside } from './paths.ts';

/** Where the image keeps Filebeat itself. */
const FILEBEAT_HOME = '/usr/share/filebeat';
export const FILEBEAT_CONFIG = `${FILEBEAT_HOME}/filebeat.yml`;

/** The runtime refuses mounts there, or they replace devices such as /dev/stdout. */
const KERNELS = ['/dev', '/proc', '/sys'];

/** Programs and what they need to start. What is further down, such as /etc/app, does no such harm. */
const VITAL = /^\/(etc|usr\/local|(usr\/(local\/)?)?(bin|sbin|lib(32|64|x32|exec)?))$/;

/** Why no volume can be mounted at a directory for its logs; undefined where one can. */
export function whyNoVolume(directory: string): string | undefined {
  const kernels = KERNELS.find((path) => isAtOrInside(directory, path));
  // Shared memory is a directory for everyone, though it is in /dev.
  if (kernels !== undefined && !isAtOrInside(directory, '/dev/shm'))
    return `"${kernels}" is the kernel's and holds no log files`;
  if (directory === FILEBEAT_CONFIG || isAtOrInside(FILEBEAT_HOME, directory))
    return `a volume at "${directory}" would hide Filebeat itself`;
  if (VITAL.test(directory)) return `a volume at "${directory}" would hide what containers need to run`;
  return undefined;
}

function isAtOrInside(path: string, directory: string): boolean {
  return path === directory || isInside(path, directory);
}
