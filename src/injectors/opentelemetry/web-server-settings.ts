import type { Env } from './env-plan.ts';

export type ModuleSettings = Readonly<Record<string, string>>;

/** The settings as lines, the Instrumentation's own in place of ours. */
export function settingLines(
  prefix: string,
  settings: ModuleSettings,
  attrs: readonly Env[],
  end: string,
): string[] {
  const lines = new Map(Object.entries(settings).map(([key, value]) => [`${prefix}${key}`, value]));
  for (const { name, value = '' } of attrs) lines.set(name, value);
  return [...lines.keys()].sort().map((key) => `${key} ${lines.get(key)}${end}`);
}
