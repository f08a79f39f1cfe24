import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { programs } from '../../tools/kubernetes/cache-folder.mjs';
import { findBinaries } from './binaries.ts';

describe('findBinaries', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'podgraft-binaries-'));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  it('finds them in KUBEBUILDER_ASSETS', () => {
    for (const name of programs) {
      writeFileSync(join(folder, name), '');
      chmodSync(join(folder, name), 0o755);
    }
    vi.stubEnv('KUBEBUILDER_ASSETS', folder);
    expect(findBinaries().kubectl).toBe(join(folder, 'kubectl'));
  });

  it('reports missing programs of KUBEBUILDER_ASSETS in one line', () => {
    vi.stubEnv('KUBEBUILDER_ASSETS', folder);
    expect(findBinaries).toThrow(
      /^Cannot start a control plane: missing etcd, .*kubectl in ".*": add them to KUBEB.*$/,
    );
  });

  it('explains in one line how to build them', () => {
    vi.stubEnv('KUBEBUILDER_ASSETS', '');
    vi.stubEnv('HOME', folder);
    expect(findBinaries).toThrow(
      /^Cannot start .* install Go 1.26 and run "npm run kubernetes:binaries", or set .*$/,
    );
  });
});
