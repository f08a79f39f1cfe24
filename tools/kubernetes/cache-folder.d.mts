export type Program = 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kubectl';
export type NodeProgram = 'kubelet' | 'kube-proxy' | 'kube-scheduler';
export const programs: readonly Program[];
export const nodePrograms: readonly NodeProgram[];
export function cacheFolder(): string;
export function pinnedVersions(): { kubernetes: string; etcd: string };
