export type ImageName =
  | 'busybox'
  | 'java'
  | 'python'
  | 'nodeAgent'
  | 'javaAgent'
  | 'pythonAgent'
  | 'filebeat'
  | 'certManagerController'
  | 'certManagerCainjector'
  | 'certManagerWebhook';
export const references: Readonly<Record<ImageName, string>>;
export function imageArchives(): Promise<readonly string[]>;
