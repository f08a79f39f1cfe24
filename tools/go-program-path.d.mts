export type GoProgram =
  | 'actionlint'
  | 'cert-manager-cainjector'
  | 'cert-manager-controller'
  | 'cert-manager-webhook'
  | 'filebeat'
  | 'helm'
  | 'kustomize';
export const goPrograms: Readonly<Record<GoProgram, { module: string; package: string; folder?: string }>>;
export function goModuleFolder(name: GoProgram): string;
export function goProgramVersion(name: GoProgram): string;
export function goProgramPath(name: GoProgram): string;
