import { apacheHttpd } from './apache-httpd.ts';
import { dotnet } from './dotnet.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import type { Language } from './language.ts';
import type { LanguageName } from './language-name.ts';
import { nginx } from './nginx.ts';
import { nodejs } from './nodejs.ts';
import { python } from './python.ts';
import { sdk } from './sdk.ts';

export const languages: Readonly<Record<LanguageName, Language>> = {
  java,
  nodejs,
  python,
  dotnet,
  go,
  'apache-httpd': apacheHttpd,
  nginx,
  sdk,
};
