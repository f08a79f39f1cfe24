export const imageName: string;
export const imageArchive: string;
export function isImageCurrent(): boolean;
