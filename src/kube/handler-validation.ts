import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';
import { membersOf } from './json-parts.ts';
import { type ProblemList, quoted } from './problem-list.ts';

/** Reports why the API server would reject a container's probes and hooks. Parts that are identical (`===`) in `before` are skipped. */
export function checkHandlers(
  container: JsonObject,
  before: JsonObject,
  path: () => Pointer,
  where: () => string,
  problems: ProblemList,
): void {
  for (const field of PROBES) {
    const probe = container[field];
    if (!isJsonObject(probe) || probe === before[field]) continue;
    checkHandler(probe, PROBE_HANDLERS, `${path()}/${field}`, where, problems);
    for (const count of COUNTS) {
      const value = probe[count];
      if (typeof value !== 'number' || value >= 0) continue;
      problems.add(`${path()}/${field}/${count}`, `${where()}expected at least 0, found ${value}`);
    }
    const successes = probe.successThreshold ?? 1;
    if (field !== 'readinessProbe' && typeof successes === 'number' && successes > 1) {
      const message = `expected 1 for a ${field}, found ${successes}`;
      problems.add(`${path()}/${field}/successThreshold`, where() + message);
    }
  }
  if (container.lifecycle === before.lifecycle) return;
  const lifecycle = membersOf(container.lifecycle);
  for (const hook of HOOKS) {
    const handler = lifecycle[hook];
    if (isJsonObject(handler))
      checkHandler(handler, HOOK_HANDLERS, `${path()}/lifecycle/${hook}`, where, problems);
  }
}

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];
const HOOKS = ['postStart', 'preStop'];
const PROBE_HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'];
const HOOK_HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'sleep'];
const COUNTS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
];

function checkHandler(
  handler: JsonObject,
  kinds: readonly string[],
  path: Pointer,
  where: () => string,
  problems: ProblemList,
): void {
  const found = kinds.filter((kind) => isJsonObject(handler[kind]));
  if (found.length !== 1) {
    const message = `expected one of ${kinds.join(', ')}, found ${found.join(' and ') || 'none'}`;
    problems.add(path, where() + message);
    return;
  }
  const kind = found[0] as string;
  const { port, command } = handler[kind] as JsonObject;
  if (kind === 'exec' && !(Array.isArray(command) && command.length > 0)) {
    problems.add(`${path}/exec/command`, `${where()}expected a command`);
  }
  if (kind !== 'exec' && kind !== 'sleep' && !isPortReference(port)) {
    const message = `expected a port from 1 to 65535 or the name of one, found ${quoted(port)}`;
    problems.add(`${path}/${kind}/port`, where() + message);
  }
}

function isPortReference(port: Json | undefined): boolean {
  return typeof port === 'string' ? isPortName(port) : isPort(port);
}

export function isPort(value: Json | undefined): boolean {
  return typeof value === 'number' && value >= 1 && value <= 65535;
}

/** IANA's service names. */
export function isPortName(name: Json | undefined): boolean {
  return (
    typeof name === 'string' &&
    name.length <= 15 &&
    /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name) &&
    /[a-z]/.test(name) &&
    !name.includes('--')
  );
}
