import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueServing, makeCa } from '../../../src/certificates/issue-certificate.ts';
import { kubeconfig } from '../../../src/control-plane/kubeconfig.ts';

/** The users of the cluster, with the groups that Kubernetes' default roles are bound to. */
const users = {
  admin: { name: 'admin', group: 'system:masters' },
  'kube-controller-manager': { name: 'system:kube-controller-manager', group: '' },
  'kube-scheduler': { name: 'system:kube-scheduler', group: '' },
  'kube-proxy': { name: 'system:kube-proxy', group: '' },
  kubelet: { name: 'system:node:node1', group: 'system:nodes' },
};

export interface Credentials {
  readonly tokensFile: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
  /** PEM. */
  readonly ca: string;
  readonly token: string;
  /** Writes a kubeconfig for one of the users; returns its path. */
  kubeconfigFor(user: keyof typeof users, url: string): string;
}

/** Tokens for the users, and a serving certificate of the API server for `ipAddresses`. */
export function writeCredentials(folder: string, ipAddresses: readonly string[]): Credentials {
  const [now, days] = [new Date(), 2];
  const ca = makeCa({ commonName: 'podgraft e2e', days, now });
  const serving = issueServing({ ca, dnsNames: ['localhost'], ipAddresses, days, now });
  const tokens = Object.fromEntries(
    Object.keys(users).map((user) => [user, randomBytes(16).toString('hex')]),
  );
  const lines = Object.entries(users).map(
    ([user, { name, group }]) => `${tokens[user]},${name},${name},"${group}"\n`,
  );
  const write = (name: string, content: string) => {
    const path = join(folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  const token = tokens.admin as string;
  return {
    tokensFile: write('tokens.csv', lines.join('')),
    caFile: write('ca.crt', ca.certificate),
    certFile: write('tls.crt', serving.certificate),
    keyFile: write('tls.key', serving.key),
    ca: ca.certificate,
    token,
    kubeconfigFor: (user, url) =>
      write(`${user}.json`, kubeconfig({ url, ca: ca.certificate, token: tokens[user] as string })),
  };
}
