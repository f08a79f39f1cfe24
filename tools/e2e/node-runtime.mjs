import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { extractPackages } from '../extract-packages.mjs';
import { cachedFolder } from './cached-folder.mjs';

const PACKAGES = [
  ...['containerd', 'runc', 'libseccomp2', 'containernetworking-plugins'],
  ...['iptables', 'libip4tc2', 'libip6tc2', 'libxtables12', 'libnfnetlink0', 'libnetfilter-conntrack3'],
  ...['libnftnl11', 'libmnl0', 'conntrack'],
];

/** Folder with a container runtime, network plugins and iptables from Debian's packages, which are not installed. */
export function nodeRuntime() {
  return cachedFolder('node-runtime', { PACKAGES, revision: 1 }, (folder) => {
    extractPackages(PACKAGES, folder);
    // `dpkg -x` does not set up alternatives.
    for (const family of ['iptables', 'ip6tables'])
      for (const suffix of ['', '-save', '-restore'])
        symlinkSync('xtables-nft-multi', join(folder, 'usr/sbin', `${family}${suffix}`));
  });
}
