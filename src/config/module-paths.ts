import { dirname, resolve } from 'node:path';
import { isJsonArray, isJsonObject } from '../json/json.ts';
import { parseConfigDocument } from './config-document.ts';
import { isModulePath } from './load-module.ts';

/** The files of the modules that a configuration names, which may be invalid otherwise. */
export function modulePaths(text: string, file: string): string[] {
  const { content } = parseConfigDocument(text, file);
  const injectors = isJsonObject(content) && isJsonArray(content.injectors) ? content.injectors : [];
  return injectors.flatMap((entry) => {
    const use = isJsonObject(entry) ? entry.use : undefined;
    return typeof use === 'string' && isModulePath(use) ? [resolve(dirname(file), use)] : [];
  });
}
