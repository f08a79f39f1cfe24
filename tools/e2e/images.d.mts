export const references: Readonly<Record<'busybox', string>>;
export function imageArchives(): Promise<Readonly<Record<string, string>>>;
