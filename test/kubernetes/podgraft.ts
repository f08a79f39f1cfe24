import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerProcess, startProcess } from '../podgraft-process.ts';
import { STAMP } from '../stamp.ts';
import { type Certificates, makeCertificates } from './certificates.ts';
import type { Client } from './client.ts';
import { eventually } from './eventually.ts';

export interface PodgraftOptions {
  /** The cluster to watch. Without it there are no other objects. */
  readonly cluster?: Client;
  readonly args?: readonly string[];
  /** Default: a free port. Set it to restart on the same port. */
  readonly port?: number;
  readonly certificates?: Certificates;
}

export interface Podgraft {
  readonly mutateUrl: string;
  readonly validateUrl: string;
  readonly caBundle: string;
  readonly process: ServerProcess;
  readonly port: number;
  readonly certificates: Certificates;
  metrics(): Promise<string>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts `podgraft serve` as a process, with the given configuration. Resolves when it is ready. */
export async function startPodgraft(config: string, options: PodgraftOptions = {}): Promise<Podgraft> {
  const folder = await mkdtemp(join(tmpdir(), 'podgraft-server-'));
  const file = join(folder, 'podgraft.yaml');
  await writeFile(file, config);
  const certificates = options.certificates ?? (await makeCertificates(join(folder, 'tls')));
  const own = await startProcess([
    ...['--config', file, '--tls-dir', join(certificates.certFile, '..')],
    ...(options.cluster ? ['--kubeconfig', options.cluster.kubeconfig] : []),
    ...(options.port === undefined ? [] : ['--port', String(options.port)]),
    ...(options.args ?? []),
  ]);
  const monitoring = `http://127.0.0.1:${own.metricsPort}`;
  await eventually('podgraft is ready', async () => (await fetch(`${monitoring}/readyz`)).ok);
  const url = `https://127.0.0.1:${own.port}`;
  return {
    mutateUrl: `${url}/mutate`,
    validateUrl: `${url}/validate`,
    caBundle: Buffer.from(certificates.ca).toString('base64'),
    process: own,
    port: own.port,
    certificates,
    metrics: async () => (await fetch(`${monitoring}/metrics`)).text(),
    async stop(signal) {
      await own.stop(signal);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A configuration that adds a container and changes all of them, to test reinvocation. */
export const SIDECAR = `${STAMP}  - name: sidecar
    use: overlay
    with:
      overlay:
        spec:
          volumes:
            - {name: scratch, emptyDir: {}}
          containers:
            - name: proxy
              image: proxy:1
            - name: "*"
              env:
                - {name: REGION, value: eu}
              volumeMounts:
                - {name: scratch, mountPath: /scratch}
`;
