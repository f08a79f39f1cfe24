import type { PageState } from '../page/view.ts';
import type { AnyInjector } from '../sdk/injector.ts';

/** Built-in injectors whose samples suit any configuration: they need no other object. */
export const GENERAL: readonly string[] = ['metadata', 'overlay'];

/** Objects to try the injectors on. The object comes first, followed by what the cluster would have. */
export function samplesOf(injectors: readonly AnyInjector[]): PageState['samples'] {
  return [...new Set(injectors)].flatMap(({ name, sample }) =>
    sample === undefined ? [] : { ...sample, injector: name },
  );
}
