export type Program = 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kubectl';
export const programs: readonly Program[];
export function cacheFolder(): string;
export function pinnedVersions(): { kubernetes: string; etcd: string };
