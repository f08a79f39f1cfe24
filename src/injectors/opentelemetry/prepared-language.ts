import { cacheByObject } from '../../sdk/index.ts';
import type { LanguageName } from './annotations.ts';
import { tlsProblem } from './environment/tls.ts';
import { agentViolation } from './guardrails.ts';
import type { Language } from './injection.ts';
import { apacheHttpd } from './languages/apache-httpd.ts';
import { dotnet } from './languages/dotnet.ts';
import { go } from './languages/go.ts';
import { java } from './languages/java.ts';
import { nginx } from './languages/nginx.ts';
import { nodejs } from './languages/nodejs.ts';
import { python } from './languages/python.ts';
import { sdk } from './languages/sdk.ts';
import type { Options } from './options.ts';
import type { Instrumentation } from './resources/instrumentation.ts';

/** A language as far as it follows from the configuration and an Instrumentation alone. */
export function preparedLanguage(name: LanguageName, instrumentation: Instrumentation, options: Options) {
  return PREPARED[name](options)(instrumentation);
}

const PREPARED: Readonly<Record<LanguageName, ReturnType<typeof prepared>>> = {
  java: prepared('java', java),
  nodejs: prepared('nodejs', nodejs),
  python: prepared('python', python),
  dotnet: prepared('dotnet', dotnet),
  go: prepared('go', go),
  'apache-httpd': prepared('apache-httpd', apacheHttpd),
  nginx: prepared('nginx', nginx),
  sdk: prepared('sdk', sdk),
};

function prepared(name: LanguageName, { supportsInitContainers, prepare }: Language) {
  return cacheByObject((options: Options) =>
    cacheByObject((instrumentation: Instrumentation) => {
      const { spec } = instrumentation;
      return {
        /** Why the Instrumentation cannot be used. */
        problem: tlsProblem(spec.exporter.tls),
        /** Why the configuration forbids it. */
        violation: agentViolation(name, spec, options),
        /** About the number of characters that it adds to each container. */
        size: JSON.stringify(spec).length,
        supportsInitContainers,
        inject: prepare(instrumentation, options),
      };
    }),
  );
}
