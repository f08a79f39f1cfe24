import { apiGet } from './api-get.ts';
import type { GuardedFolder } from './guarded-folder.ts';
import type { ControlPlaneFiles } from './prepare-files.ts';
import { type RunningProgram, startProgram } from './program.ts';

export interface ApiServerSettings {
  readonly port: number;
  readonly etcdUrl: string;
  readonly files: ControlPlaneFiles;
  readonly authorizationMode: 'AlwaysAllow' | 'RBAC';
  readonly extraArgs: readonly string[];
}

export async function startApiServer(
  folder: GuardedFolder,
  binary: string,
  { port, etcdUrl, files, authorizationMode, extraArgs }: ApiServerSettings,
): Promise<RunningProgram> {
  const args = [
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    // No Pod uses the Service "kubernetes".
    '--endpoint-reconciler-type=none',
    `--tls-cert-file=${files.serving.certFile}`,
    `--tls-private-key-file=${files.serving.keyFile}`,
    `--client-ca-file=${files.serving.caFile}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${files.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${files.serviceAccountPrivateKey}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    `--authorization-mode=${authorizationMode}`,
    `--token-auth-file=${files.tokens}`,
    '--allow-privileged=true',
    ...extraArgs,
  ];
  const access = { url: `https://127.0.0.1:${port}`, ca: files.serving.ca, token: files.token };
  return startProgram(folder, binary, args, async () => {
    // The CA is new, so only the server started here can answer over TLS.
    const { status, body } = await apiGet(access, '/readyz');
    return status === 200 && body === 'ok';
  });
}
