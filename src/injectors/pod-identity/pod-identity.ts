import type { Overlay } from '../../graft/overlay.ts';
import type { Container, Pod } from '../../kube/generated/types.ts';
import { annotationsOf, type DeepReadonly, labelsOf } from '../../kube/kube-object.ts';
import type { ObjectRef } from '../../kube/resource.ts';
import { defineInjector, type Verdict } from '../../sdk/injector.ts';
import type { Request } from '../../sdk/request.ts';
import { deny, overlay, skip } from '../../sdk/verdict.ts';
import { CONFIG_MAP, ROLE_MAP_NAME, SERVICE_ACCOUNT } from './account.ts';
import { type Credentials, findCredentials, serviceAccountNameOf } from './credentials.ts';
import { csvRecord } from './csv-record.ts';
import { serveContainer } from './serve-container.ts';
import { readSettings, type Settings } from './settings.ts';
import { holdsToken } from './token-volume.ts';

export const podIdentity = defineInjector<Settings>({
  name: 'pod-identity',
  summary: 'Gives Pods AWS credentials by their ServiceAccount: IAM roles (IRSA) and EKS Pod Identity',
  idempotent: true,
  match: {},
  reads: ({ watchConfigMap, namespace }) => [
    SERVICE_ACCOUNT,
    ...(watchConfigMap ? [{ ...CONFIG_MAP, namespace, name: ROLE_MAP_NAME }] : []),
  ],
  needs,
  files: ({ identities }) => (identities === undefined ? [] : [identities]),
  config: readSettings,
  inject(pod, context) {
    const { config } = context;
    if (Object.hasOwn(labelsOf(pod), OPT_OUT)) return skip(`label "${OPT_OUT}" is set`);
    const found = findCredentials(pod, context);
    if ('none' in found) {
      const warnings = found.suspicious ? [`no AWS credentials were injected: ${found.none}`] : [];
      return strictly(config, skip(found.none, warnings));
    }
    return strictly(config, give(pod, found, config));
  },
});

/** Literal, whatever the prefix of annotations: the original's webhook configuration leaves out Pods that have it. */
const OPT_OUT = 'eks.amazonaws.com/skip-pod-identity-webhook';

function needs(request: Request, config: Settings): readonly ObjectRef[] {
  const { namespace } = request;
  // The match admits Pods only.
  const name = serviceAccountNameOf(request.object as DeepReadonly<Pod>);
  const account = { ref: SERVICE_ACCOUNT, namespace, name };
  if (!config.watchConfigMap) return [account];
  return [account, { ref: CONFIG_MAP, namespace: config.namespace, name: ROLE_MAP_NAME }];
}

function strictly({ strict }: Settings, verdict: Verdict): Verdict {
  if (!strict || 'deny' in verdict || verdict.warnings === undefined) return verdict;
  return deny(verdict.warnings.join('; '));
}

function give(pod: DeepReadonly<Pod>, credentials: Credentials, config: Settings): Verdict {
  const { token, labels } = credentials;
  const found = pod.spec?.volumes?.find(({ name }) => name === token.volume);
  const foreignVolume = found !== undefined && !holdsToken(found, token);
  const surroundings = { regionEnv: config.regionEnv, foreignVolume };
  const skipped = skippedContainers(pod, config);
  const warnings = [...credentials.warnings, ...(foreignVolume ? [notToken(token.volume)] : [])];

  const serve = (containers: readonly DeepReadonly<Container>[] | undefined) => {
    const wishes: Overlay<Container>[] = [];
    for (const container of containers ?? []) {
      // One without a name is for the API server to refuse.
      if (container.name === undefined || skipped.includes(container.name)) continue;
      const served = serveContainer(container, credentials, surroundings);
      if (served.wish !== undefined) wishes.push(served.wish);
      warnings.push(...served.warnings);
    }
    return wishes;
  };
  const wish: Overlay<Pod> = {
    metadata: { labels },
    spec: {
      volumes: found === undefined ? [credentials.volume] : undefined,
      containers: serve(pod.spec?.containers),
      initContainers: serve(pod.spec?.initContainers),
    },
  };
  return overlay(wish, warnings);
}

function skippedContainers(pod: DeepReadonly<Pod>, { annotations }: Settings): readonly string[] {
  const list = annotationsOf(pod)[annotations.skipContainers];
  // In a file it may be a number still.
  return (list && csvRecord(String(list))) || [];
}

function notToken(volume: string): string {
  return `volume "${volume}" is not a token volume: containers that do not mount it get no AWS credentials`;
}
