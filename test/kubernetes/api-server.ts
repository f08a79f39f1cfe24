import { connect } from './client.ts';
import type { ControlPlaneFiles } from './prepare-files.ts';
import { type RunningProgram, startProgram } from './program.ts';
import type { Workspace } from './workspace.ts';

export type ApiServerSettings = {
  port: number;
  etcdUrl: string;
  files: ControlPlaneFiles;
  authorizationMode: 'AlwaysAllow' | 'RBAC';
  extraArgs: readonly string[];
};

export async function startApiServer(
  workspace: Workspace,
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
  // The CA is new, so only the server started here can answer over TLS.
  const client = connect({
    url: `https://127.0.0.1:${port}`,
    ca: files.serving.ca,
    token: files.token,
    kubeconfig: '',
  });
  try {
    return await startProgram(workspace, binary, args, async () => {
      const { status, body } = await client.request('GET', '/readyz');
      return status === 200 && body === 'ok';
    });
  } finally {
    client.disconnect();
  }
}
