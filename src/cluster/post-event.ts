import { createHash } from 'node:crypto';
import type { KubeObject } from '../kube/kube-object.ts';
import { builtin } from '../kube/resource.ts';
import { isRefusal } from './client/api-error.ts';
import type { KubeClient } from './client/client.ts';

/** Something to know about an object, as `kubectl describe` and `kubectl get events` show it. */
export interface EventNotice {
  readonly about: EventSubject;
  readonly type: 'Normal' | 'Warning';
  /** In CamelCase. */
  readonly reason: string;
  readonly message: string;
}

export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Without it, `kubectl describe` does not show the Event. */
  readonly uid?: string;
}

/** The API server's limit is 1024. */
const MOST_CHARACTERS = 1000;

/**
 * Creates an Event. Its name follows from its content, so that it is not repeated while the API server keeps it (an hour
 * by default), even if several processes report it.
 */
export async function postEvent(
  client: Pick<KubeClient, 'create'>,
  notice: EventNotice,
  now: Date,
): Promise<void> {
  try {
    await client.create(builtin('Event'), eventOf(notice, now));
  } catch (error) {
    if (!isRefusal(error, 'AlreadyExists')) throw error;
  }
}

function eventOf({ about, type, reason, message }: EventNotice, now: Date): KubeObject {
  const { namespace, name } = about;
  const content = JSON.stringify([about, type, reason, message]);
  const time = now.toISOString().replace(/\.\d+Z$/, 'Z');
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {
      name: `${name.slice(0, 200)}.${createHash('sha256').update(content).digest('hex').slice(0, 16)}`,
      namespace,
    },
    involvedObject: about,
    type,
    reason,
    message: message.length > MOST_CHARACTERS ? `${message.slice(0, MOST_CHARACTERS)}…` : message,
    count: 1,
    firstTimestamp: time,
    lastTimestamp: time,
    source: { component: 'podgraft' },
    reportingComponent: 'podgraft',
    reportingInstance: 'podgraft',
  };
  return event as KubeObject;
}
