import type { Volume } from '../../kube/generated/types.ts';
import type { DeepReadonly } from '../../kube/kube-object.ts';
import type { Token } from './credentials.ts';

export type TokenVolume = ReturnType<typeof tokenVolume>;

/** A volume in which the kubelet keeps a fresh token, for the head of the list. */
export function tokenVolume({ volume, path, audience, expirationSeconds }: Token) {
  const lifetime = { expirationSeconds, path };
  const serviceAccountToken = audience === '' ? lifetime : { audience, ...lifetime };
  return { name: volume, projected: { sources: [{ serviceAccountToken }] }, $at: 'first' } as const;
}

/** Whether a volume serves as well: whatever its audience and lifetime, there is a token where we look for it. */
export function holdsToken({ projected }: DeepReadonly<Volume>, { path }: Token): boolean {
  return projected?.sources?.some((source) => source.serviceAccountToken?.path === path) ?? false;
}
