// Writes the bill of materials of the image in CycloneDX, from what is in it: npm's packages, Node, and the libraries of Debian
// that node needs. `npm sbom` leaves out packages that are also optional peers of development dependencies.
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Debian's packages with the libraries that the Dockerfile copies. */
const LIBRARIES = ['libc6', 'libgcc-s1', 'libstdc++6'];

/** `folder` is the root of the image; `debian` has the versions of the base's packages, by name. */
export function writeSbom(file, { folder, version, nodeVersion, debian }) {
  const components = [
    ...npmPackages(join(folder, 'app/node_modules')),
    component('nodejs', nodeVersion, `pkg:generic/nodejs@${nodeVersion}`, 'MIT'),
    ...LIBRARIES.map((name) => {
      const found = debian[name];
      if (found === undefined) throw new Error(`the base has no package "${name}"`);
      return component(
        name,
        found,
        `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(found)}`,
      );
    }),
  ];
  const sbom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: new Date().toISOString(),
      component: { type: 'container', name: 'podgraft', version, 'bom-ref': `pkg:oci/podgraft@${version}` },
    },
    components,
  };
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
}

function npmPackages(folder) {
  const names = readdirSync(folder).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(folder, name)).map((each) => `${name}/${each}`) : [name],
  );
  return names.flatMap((name) => {
    const file = join(folder, name, 'package.json');
    if (!existsSync(file)) return [];
    const { version, license } = JSON.parse(readFileSync(file, 'utf8'));
    const nested = join(folder, name, 'node_modules');
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    return [component(name, version, purl, license), ...(existsSync(nested) ? npmPackages(nested) : [])];
  });
}

function component(name, version, purl, license) {
  const licenses = license === undefined ? {} : { licenses: [{ expression: license }] };
  return { type: 'library', name, version, ...licenses, purl, 'bom-ref': purl };
}
