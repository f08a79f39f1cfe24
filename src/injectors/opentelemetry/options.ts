import * as v from 'valibot';
import { stable } from '../../json/stable.ts';
import { DEFAULT_IMAGES } from './images.ts';
import { configuredSpec } from './instrumentation.ts';
import { LANGUAGES, type LanguageName } from './language-name.ts';

/** Go needs a privileged container and nginx only works with some versions: both are to be asked for. */
const DEFAULT_LANGUAGES = LANGUAGES.filter((name) => name !== 'go' && name !== 'nginx');

const image = (name: keyof typeof DEFAULT_IMAGES) => v.optional(v.string(), DEFAULT_IMAGES[name]);

/** What stands under `with:`. */
export const optionsSchema = v.strictObject({
  /** Those that may be injected. */
  languages: v.optional(
    v.pipe(
      v.array(v.picklist(LANGUAGES)),
      v.transform((names): ReadonlySet<LanguageName> => new Set(names)),
    ),
    DEFAULT_LANGUAGES,
  ),
  multiInstrumentation: v.optional(v.boolean(), true),
  sidecar: v.optional(v.picklist(['container', 'native', 'auto']), 'auto'),
  /** Deny instead of warn. */
  strict: v.optional(v.boolean(), false),
  images: v.optional(
    v.strictObject({
      java: image('java'),
      nodejs: image('nodejs'),
      python: image('python'),
      dotnet: image('dotnet'),
      go: image('go'),
      'apache-httpd': image('apache-httpd'),
      nginx: image('nginx'),
      collector: image('collector'),
    }),
    {},
  ),
  /** Stand in for Instrumentation resources; one without a namespace is for every namespace. */
  instrumentations: v.optional(
    v.array(
      v.strictObject({
        name: v.optional(v.string(), 'default'),
        namespace: v.optional(v.string()),
        spec: v.optional(v.pipe(configuredSpec, v.transform(stable)), {}),
      }),
    ),
    [],
  ),
});

export type Options = v.InferOutput<typeof optionsSchema>;
