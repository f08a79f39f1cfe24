import { readFileSync } from 'node:fs';
import { manifestFiles, whyUnreadable } from '../files/read-manifests.ts';
import { parseSources } from '../lint/parse-sources.ts';
import { YamlInvalid } from '../yaml/parse-document.ts';

/**
 * The texts of files and folders by their names. Unreadable files are reported and left out. A folder may contain YAML that is
 * not for Kubernetes, such as the templates of a chart.
 */
export function readLintFiles(
  paths: readonly string[],
  report: (message: string) => void,
): Map<string, string> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const files = filesOf(path, report);
    if (files?.length === 0) report(`${path}: no YAML or JSON files`);
    const isFolder = files?.[0] !== path;
    for (const file of files ?? []) {
      const name = file === '-' ? 'standard input' : file;
      const text = readText(file, name, report);
      if (text === undefined) continue;
      const problem = problemOf(text, name, isFolder);
      if (problem === undefined) texts.set(name, text);
      else if (!isFolder) report(problem);
      else if (isTemplate(text)) process.stderr.write(`warning: ${name} is a template: render it first\n`);
      else report(problem);
    }
  }
  return texts;
}

function filesOf(path: string, report: (message: string) => void): string[] | undefined {
  if (path === '-') return ['-'];
  try {
    return manifestFiles(path);
  } catch (cause) {
    report(`${path}: ${whyUnreadable(cause)}`);
    return undefined;
  }
}

function readText(file: string, name: string, report: (message: string) => void): string | undefined {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (cause) {
    report(`${name}: ${whyUnreadable(cause)}`);
    return undefined;
  }
}

function problemOf(text: string, name: string, mayBeOther: boolean): string | undefined {
  try {
    const { sources } = parseSources(text, name);
    return sources.length > 0 || mayBeOther ? undefined : `${name}: no Kubernetes object`;
  } catch (error) {
    if (!(error instanceof YamlInvalid)) throw error;
    return `${name}:${error.line}: ${error.why}`;
  }
}

function isTemplate(text: string): boolean {
  return text.includes('{{');
}
