import { stable } from '../../json/stable.ts';
import { logVolumeName } from './volume-name.ts';

/** A directory that holds logs, with the volume that it gets where no container has one there. */
export interface LogDirectory {
  readonly path: string;
  readonly volume: { readonly name: string; readonly emptyDir: object };
  readonly mount: { readonly name: string; readonly mountPath: string };
}

export function logDirectory(path: string, name = logVolumeName(path)): LogDirectory {
  return stable({ path, volume: { name, emptyDir: {} }, mount: { name, mountPath: path } });
}
