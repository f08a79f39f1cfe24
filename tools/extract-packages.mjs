import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Downloads packages of Debian and extracts them into `folder`, without installing them. Returns their versions, by name. */
export function extractPackages(names, folder) {
  const downloads = `${folder}.downloads`;
  rmSync(downloads, { recursive: true, force: true });
  mkdirSync(downloads, { recursive: true });
  const run = (command, ...args) => execFileSync(command, args, { cwd: downloads, encoding: 'utf8' });
  const download = () => run('apt-get', 'download', '-qq', '-o', 'APT::Sandbox::User=root', ...names);
  try {
    download();
  } catch {
    // A new machine has no list of packages, or an old one.
    run('apt-get', 'update', '-qq');
    download();
  }
  mergeFolders(folder);
  const versions = {};
  for (const file of readdirSync(downloads)) {
    run('dpkg', '-x', file, folder);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg's own variables.
    const [name, version] = run('dpkg-deb', '-W', '--showformat', '${Package} ${Version}', file).split(' ');
    versions[name] = version;
  }
  rmSync(downloads, { recursive: true });
  return versions;
}

/** As on an installed Debian: packages contain both paths. */
function mergeFolders(folder) {
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
    mkdirSync(join(folder, 'usr', name), { recursive: true });
    if (!existsSync(join(folder, name))) symlinkSync(`usr/${name}`, join(folder, name));
  }
}
