import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const TYPE = 'application/vnd.oci.image';

/** Writes an OCI archive with one layer, the content of `folder`, that containerd imports under `name`. */
export function writeImage(archive, { name, folder, config = {} }) {
  const layout = mkdtempSync(join(tmpdir(), 'podgraft-image-'));
  const blobs = join(layout, 'blobs', 'sha256');
  mkdirSync(blobs, { recursive: true });
  const blob = (mediaType, content) => {
    const hash = createHash('sha256').update(content).digest('hex');
    writeFileSync(join(blobs, hash), content);
    return { mediaType: `${TYPE}.${mediaType}`, digest: `sha256:${hash}`, size: content.length };
  };
  try {
    const layerFile = join(layout, 'layer');
    const owner = ['--owner=0', '--group=0', '--sort=name', '--mtime=@0'];
    execFileSync('tar', ['--create', '--file', layerFile, ...owner, '--directory', folder, '.']);
    const layer = blob('layer.v1.tar', readFileSync(layerFile));
    rmSync(layerFile);
    const image = {
      architecture: { x64: 'amd64' }[process.arch] ?? process.arch,
      os: 'linux',
      config,
      rootfs: { type: 'layers', diff_ids: [layer.digest] },
    };
    const manifest = {
      schemaVersion: 2,
      mediaType: `${TYPE}.manifest.v1+json`,
      config: blob('config.v1+json', Buffer.from(JSON.stringify(image))),
      layers: [layer],
    };
    const described = blob('manifest.v1+json', Buffer.from(JSON.stringify(manifest)));
    const annotations = { 'io.containerd.image.name': name };
    const index = { schemaVersion: 2, manifests: [{ ...described, annotations }] };
    writeFileSync(join(layout, 'index.json'), JSON.stringify(index));
    writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
    execFileSync('tar', ['--create', '--file', `${archive}.part`, '--directory', layout, '.']);
    renameSync(`${archive}.part`, archive);
  } finally {
    rmSync(layout, { recursive: true });
  }
}
