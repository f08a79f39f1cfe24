import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { podgraft } from '../podgraft-process.ts';

const CONFIG = `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - name: house
    use: overlay
    with:
      overlay:
        metadata: {labels: {odd: "0x1F"}}
        spec:
          volumes:
            - {name: own, secret: {secretName: own, defaultMode: 0400}}
`;

const POD = `apiVersion: v1
kind: Pod
metadata:
  name: p
spec:
  hostNetwork: yes
  containers:
    - {name: a, image: nginx}
  volumes:
    - name: conf
      configMap: {name: c, defaultMode: 0444}
`;

let folder: string;
const file = (name: string, text: string) => writeFileSync(join(folder, name), text);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'podgraft-yaml-'));
  file('podgraft.yaml', CONFIG);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('YAML is read as kubectl reads it', () => {
  test('in the configuration and in files, whose notation is kept', async () => {
    const { code, stdout, stderr } = await podgraft(['inject', '-f', '-'], { cwd: folder, input: POD });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const labelled = POD.replace('  name: p\n', '  name: p\n  labels:\n    odd: "0x1F"\n');
    expect(stdout).toBe(
      `${labelled}    - name: own\n      secret:\n        secretName: own\n        defaultMode: 256\n`,
    );
  });

  test('so that JSON has what the cluster gets', async () => {
    const args = ['inject', '-f', '-', '-o', 'json'];
    const { stdout } = await podgraft(args, { cwd: folder, input: POD });
    const { spec } = JSON.parse(stdout);
    expect(spec.hostNetwork).toBe(true);
    expect(spec.volumes).toEqual([
      { name: 'conf', configMap: { name: 'c', defaultMode: 0o444 } },
      { name: 'own', secret: { secretName: 'own', defaultMode: 0o400 } },
    ]);
  });

  test('and a word that is a boolean is an error where a string is needed', async () => {
    file('words.yaml', CONFIG.replace('"0x1F"', 'yes'));
    const args = ['inject', '-f', '-', '--config', 'words.yaml'];
    const { code, stderr } = await podgraft(args, { cwd: folder, input: POD });
    expect(code).toBe(1);
    expect(stderr).toContain(
      'words.yaml:8: injectors.0.with.overlay.metadata.labels.odd: expected string, found true',
    );
  });

  test('but a key of the configuration that would get another name is an error', async () => {
    file('keys.yaml', CONFIG.replace('odd:', 'y:'));
    const args = ['inject', '-f', '-', '--config', 'keys.yaml'];
    const { code, stderr } = await podgraft(args, { cwd: folder, input: POD });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'error: keys.yaml:8: the key y is read as "true": use quotes\n',
    });
  });
});
