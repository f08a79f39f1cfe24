import { shortened } from '../../../sdk/index.ts';
import type { Configuration } from '../config/configuration.ts';
import type { PodTemplate } from './pod-template.ts';

/** Each is rendered and merged, and a name may be repeated. */
export const MOST_TEMPLATES = 32;

/** The templates of names that `place` lists. A name may be an alias of several. */
export function namedTemplates(
  names: readonly string[],
  place: string,
  { aliases }: Pick<Configuration, 'aliases'>,
  templates: ReadonlyMap<string, PodTemplate>,
): { readonly templates: readonly PodTemplate[] } | { readonly refused: string } {
  const found: PodTemplate[] = [];
  for (const name of names.flatMap((each) => aliases.get(each) ?? [each])) {
    if (found.length === MOST_TEMPLATES)
      return { refused: `Cannot inject: ${place} has more than ${MOST_TEMPLATES} templates` };
    const template = templates.get(name);
    if (template === undefined)
      return { refused: `Cannot inject: unknown template "${shortened(name)}" in ${place}` };
    found.push(template);
  }
  return { templates: found };
}
