import { type ApiAccess, apiGet } from './api-get.ts';
import type { GuardedFolder } from './guarded-folder.ts';
import type { ControlPlaneFiles } from './prepare-files.ts';
import { type RunningProgram, startProgram } from './program.ts';

/** Only the controllers that create Pods, or that Pods and namespaces need. An unknown name is fatal. */
const controllers = [
  'deployment-controller',
  'replicaset-controller',
  'statefulset-controller',
  'daemonset-controller',
  'job-controller',
  'cronjob-controller',
  'namespace-controller',
  'serviceaccount-controller',
  'garbage-collector-controller',
  'root-ca-certificate-publisher-controller',
];

/** It serves no port. It is ready when ServiceAccount "default" exists, without which Pods are rejected. */
export function startControllerManager(
  folder: GuardedFolder,
  binary: string,
  access: ApiAccess & { readonly kubeconfig: string },
  files: ControlPlaneFiles,
): Promise<RunningProgram> {
  const args = [
    `--kubeconfig=${access.kubeconfig}`,
    `--service-account-private-key-file=${files.serviceAccountPrivateKey}`,
    `--root-ca-file=${files.serving.caFile}`,
    '--leader-elect=false',
    '--bind-address=127.0.0.1',
    '--secure-port=0',
    `--controllers=${controllers.join(',')}`,
  ];
  return startProgram(folder, binary, args, async () => {
    const { status } = await apiGet(access, '/api/v1/namespaces/default/serviceaccounts/default');
    return status === 200;
  });
}
