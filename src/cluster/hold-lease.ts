import { isJsonObject } from '../json/json.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { builtin } from '../kube/resource.ts';
import { isRefusal } from './client/api-error.ts';
import type { KubeClient } from './client/client.ts';
import { type Clock, systemClock } from './clock.ts';

export interface LeaseOptions {
  readonly client: Pick<KubeClient, 'get' | 'create' | 'update'>;
  readonly namespace: string;
  readonly name: string;
  /** The identity of this process; it must be unique. */
  readonly identity: string;
  readonly log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
  readonly clock?: Clock;
  /** Runs while this process holds the Lease. The signal fires when it no longer does. */
  readonly work: (signal: AbortSignal) => Promise<void>;
}

/** A holder that has not renewed for this long has lost the Lease. */
const DURATION_MS = 30_000;
/** A holder that could not renew for this long stops, before another one starts. */
const GIVE_UP_MS = 20_000;
const RENEW_MS = 5_000;
const CALL_MS = 5_000;

const LEASE = builtin('Lease');

/**
 * Lets one of several processes work, until the signal fires. A holder counts as gone if its Lease has not changed for a time,
 * measured by this process's own clock: no two clocks are ever compared.
 */
export async function holdLease(options: LeaseOptions, signal: AbortSignal): Promise<void> {
  const { client, namespace, name, identity, log, clock = systemClock, work } = options;
  let seen: { readonly version: string; readonly since: number } | undefined;
  let term: { readonly ending: AbortController; readonly done: Promise<void> } | undefined;
  let renewedAt = 0;

  /** Returns whether this process holds it now. */
  async function renew(): Promise<boolean> {
    const lease = await client.get({ ref: LEASE, namespace, name }, { timeoutMs: CALL_MS });
    const version = lease?.metadata.resourceVersion ?? '';
    if (seen?.version !== version) seen = { version, since: clock.uptime() };
    const holder = holderOf(lease);
    const isFree = holder === '' || holder === identity || clock.uptime() - seen.since > DURATION_MS;
    if (lease !== undefined && !isFree) return false;
    await write(lease, identity);
    renewedAt = clock.uptime();
    return true;
  }

  function write(lease: KubeObject | undefined, holderIdentity: string): Promise<KubeObject> {
    const time = clock.now().toISOString().replace('Z', '000Z');
    const object = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { ...lease?.metadata, namespace, name },
      spec: { holderIdentity, leaseDurationSeconds: DURATION_MS / 1000, renewTime: time, acquireTime: time },
    } as unknown as KubeObject;
    const call = { timeoutMs: CALL_MS };
    return lease === undefined ? client.create(LEASE, object, call) : client.update(LEASE, object, call);
  }

  async function isHeld(): Promise<boolean> {
    try {
      return await renew();
    } catch (error) {
      // Another process was faster.
      if (isRefusal(error, 'Conflict', 'AlreadyExists')) return false;
      log.warn({ lease: name, error: String(error) }, 'cannot renew Lease, will retry');
      return term !== undefined && clock.uptime() - renewedAt < GIVE_UP_MS;
    }
  }

  async function end(): Promise<void> {
    term?.ending.abort();
    await term?.done;
    term = undefined;
  }

  while (!signal.aborted) {
    const held = await isHeld();
    if (held && term === undefined) {
      log.info({ lease: name }, 'Lease acquired');
      const ending = new AbortController();
      term = { ending, done: work(ending.signal) };
    } else if (!held && term !== undefined) {
      log.info({ lease: name }, 'Lease lost');
      await end();
    }
    await clock.sleep(RENEW_MS, signal);
  }
  if (term === undefined) return;
  await end();
  // Lets another holder start at once.
  const lease = await client
    .get({ ref: LEASE, namespace, name }, { timeoutMs: CALL_MS })
    .catch(() => undefined);
  if (lease !== undefined && holderOf(lease) === identity) await write(lease, '').catch(() => {});
}

function holderOf(lease: KubeObject | undefined): string {
  const spec = lease && asJson(lease).spec;
  const holder = isJsonObject(spec) ? spec.holderIdentity : undefined;
  return typeof holder === 'string' ? holder : '';
}
