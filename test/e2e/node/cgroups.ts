import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../kubernetes/eventually.ts';

const ROOT = '/sys/fs/cgroup';
const PREFIX = 'podgraft-node-';

/** The cgroup v1 hierarchies that kubelet and runc use. */
export function hierarchies(): readonly string[] {
  const names = existsSync(ROOT) ? readdirSync(ROOT) : [];
  return names.map((name) => join(ROOT, name)).filter((path) => existsSync(join(path, 'release_agent')));
}

/** Creates a cgroup in every hierarchy, named for this process. Also removes those of processes that ended without doing so. */
export function makeCgroup(): { readonly name: string; remove(): Promise<void> } {
  for (const hierarchy of hierarchies()) {
    for (const name of readdirSync(hierarchy).filter((each) => each.startsWith(PREFIX)))
      if (!existsSync(`/proc/${name.slice(PREFIX.length)}`)) removeTree(join(hierarchy, name));
  }
  const name = `${PREFIX}${process.pid}`;
  for (const hierarchy of hierarchies()) {
    const folder = join(hierarchy, name);
    mkdirSync(folder, { recursive: true });
    // Empty in a new cgroup, and no process can join it until they are set.
    for (const file of ['cpuset.cpus', 'cpuset.mems'])
      if (existsSync(join(folder, file)))
        writeFileSync(join(folder, file), readFileSync(join(hierarchy, file)));
  }
  return {
    name,
    async remove() {
      // Processes that were killed a moment ago still count.
      await eventually('the cgroups are empty', () => {
        for (const hierarchy of hierarchies()) removeTree(join(hierarchy, name));
        return true;
      });
    },
  };
}

/** Files in a cgroup cannot be deleted, and go with their folder. */
function removeTree(folder: string): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeTree(join(folder, entry.name));
  rmdirSync(folder);
}
