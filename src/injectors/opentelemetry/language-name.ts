/** In the order in which they are injected, which fixes the order of what they add. */
export const LANGUAGES = [
  'java',
  'nodejs',
  'python',
  'dotnet',
  'go',
  'apache-httpd',
  'nginx',
  'sdk',
] as const;

export type LanguageName = (typeof LANGUAGES)[number];
