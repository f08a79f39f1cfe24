/** The fields of a Pod that tests read. */
export type Pod = {
  metadata: {
    name: string;
    generateName?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  spec: { containers: { name: string; image: string }[] };
};

export function nginxPod(name: string) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name } },
    spec: { containers: [{ name: 'nginx', image: 'nginx' }] },
  };
}

export function nginxDeployment(name: string, replicas: number) {
  const { metadata, spec } = nginxPod(name);
  const { labels } = metadata;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}
