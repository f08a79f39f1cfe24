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

  it('takes them from KUBEBUILDER_ASSETS', () => {
    for (const name of programs) {
      writeFileSync(join(folder, name), '');
      chmodSync(join(folder, name), 0o755);
    }
    vi.stubEnv('KUBEBUILDER_ASSETS', folder);
    expect(findBinaries().kubectl).toBe(join(folder, 'kubectl'));
  });

  it('names in one line what KUBEBUILDER_ASSETS lacks', () => {
    vi.stubEnv('KUBEBUILDER_ASSETS', folder);
    expect(findBinaries).toThrow(
      /^Cannot start a control plane: no etcd, .*kubectl in ".*": add them to KUBEB.*$/,
    );
  });

  it('says in one line how to get them where there are none at all', () => {
    vi.stubEnv('KUBEBUILDER_ASSETS', '');
    vi.stubEnv('HOME', folder);
    expect(findBinaries).toThrow(
      /^Cannot start .* install Go 1.26 and run "npm run kubernetes:binaries", or set .*$/,
    );
  });
});
