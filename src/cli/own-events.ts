import { isInCluster } from '../cluster/client/find-connection.ts';
import { type EventNotice, postEvent } from '../cluster/post-event.ts';
import type { Log } from '../server/log.ts';
import type { Connection } from './open-views.ts';

/** Posts Events about podgraft's own Pod; does nothing outside a cluster. */
export type PostOwnEvent = (notice: Omit<EventNotice, 'about'>) => void;

/** The manifests set the variables. Without them, a Pod's host name is its name, but its uid is not known. */
export function ownEvents(
  connection: Connection | undefined,
  log: Log,
  env: NodeJS.ProcessEnv = process.env,
): PostOwnEvent {
  const name = env.POD_NAME ?? (isInCluster() ? env.HOSTNAME : undefined);
  if (connection === undefined || name === undefined) return () => {};
  const { client, namespace } = connection;
  const { POD_UID: uid } = env;
  const about = {
    apiVersion: 'v1',
    kind: 'Pod',
    namespace: env.POD_NAMESPACE ?? namespace,
    name,
    ...(uid !== undefined && { uid }),
  };
  return (notice) => {
    postEvent(client, { ...notice, about }, new Date()).catch((error: unknown) =>
      log.warn({ error: String(error) }, 'cannot create Event'),
    );
  };
}
