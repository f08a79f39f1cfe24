import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { hierarchies } from './cgroups.ts';

/** What this machine lacks to run a node; empty if it lacks nothing. */
export function missingRequirements(): readonly string[] {
  const lacks: [boolean, string][] = [
    [process.platform !== 'linux' || process.arch !== 'x64', 'Linux on amd64'],
    [process.getuid?.() !== 0, 'root'],
    [
      hierarchies().length === 0,
      'cgroup v1 hierarchies in /sys/fs/cgroup (a node on cgroup v2 alone was never tried)',
    ],
    [!existsSync('/usr/bin/apt-get'), "Debian's apt-get"],
    [!readFileSync('/proc/filesystems', 'utf8').includes('\toverlay\n'), 'overlayfs in the kernel'],
    ...['unshare', 'nsenter', 'ip', 'buildah'].map((name): [boolean, string] => [!isInstalled(name), name]),
  ];
  const missing = lacks.flatMap(([isMissing, what]) => (isMissing ? [what] : []));
  if (missing.length > 0) return missing;
  const namespaces = ['--mount', '--net', '--pid', '--uts', '--ipc', '--fork', '--propagation', 'private'];
  const { status, stderr } = spawnSync('unshare', [...namespaces, 'true'], { encoding: 'utf8' });
  return status === 0 ? [] : [`the right to create namespaces (${stderr.trim()})`];
}

function isInstalled(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
}
