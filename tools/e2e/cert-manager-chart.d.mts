export function certManagerChart(): Promise<string>;
