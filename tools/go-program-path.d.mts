export const goPrograms: Readonly<
  Record<'actionlint' | 'helm' | 'kustomize', { module: string; package: string }>
>;
export function goProgramPath(name: keyof typeof goPrograms): string;
