import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { escapeSegment, type Pointer } from '../json/pointer.ts';
import { checkHandlers, isPort, isPortName } from './handler-validation.ts';
import { itemsOf, membersOf } from './json-parts.ts';
import { type ProblemList, quoted } from './problem-list.ts';
import { isLess, isQuantity } from './quantity.ts';

export interface ContainerContext {
  readonly isInit: boolean;
  /** Whether the Pod uses its node's network: its ports are then ports of the node. */
  readonly isOnHost: boolean;
  /** The container before a change: identical (`===`) parts were checked then and are still valid. */
  readonly before: JsonObject;
  readonly volumes: ReadonlySet<Json | undefined>;
  /** Those already taken; the container's own are added. */
  readonly hostPorts: Set<string>;
}

/** Reports why the API server would reject a container. */
export function checkContainer(
  container: JsonObject,
  path: () => Pointer,
  context: ContainerContext,
  problems: ProblemList,
): void {
  const { before } = context;
  const ports = itemsOf(container.ports);
  if (container === before && ports.length === 0) return;
  const where = () => `container ${quoted(container.name)}: `;
  const place = { path, where, problems };
  // Always, because of the host ports of other containers.
  checkPorts(ports, place, context);
  if (container === before) return;
  problems.label(container, path, 'container');
  const { image = null } = container;
  if (image === null || image === '') problems.add(`${path()}/image`, `${where()}expected an image`);
  else if (typeof image === 'string' && image.trim() !== image) {
    problems.add(`${path()}/image`, `${where()}expected no space around ${quoted(image)}`);
  }
  problems.oneOf(container, 'imagePullPolicy', path, PULL_POLICIES, where);
  problems.oneOf(container, 'terminationMessagePolicy', path, MESSAGE_POLICIES, where);
  problems.oneOf(container, 'restartPolicy', path, RESTART_POLICIES, where);
  if (container.env !== before.env) checkEnv(itemsOf(container.env), itemsOf(before.env), place);
  if (container.volumeMounts !== before.volumeMounts) {
    checkMounts(itemsOf(container.volumeMounts), place, context);
  }
  if (container.resources !== before.resources) checkResources(membersOf(container.resources), place);
  checkSecurityContext(membersOf(container.securityContext), place);
  checkHandlers(container, before, path, where, problems);
  if (!context.isInit || container.restartPolicy === 'Always') return;
  for (const field of SIDECAR_FIELDS) {
    if (isJsonObject(container[field])) {
      const message = 'an init container cannot have one unless its restartPolicy is "Always"';
      problems.add(`${path()}/${field}`, `${where()}${message}`);
    }
  }
}

const PULL_POLICIES = ['Always', 'Never', 'IfNotPresent'];
const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];
const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];
const SIDECAR_FIELDS = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'];

export interface Place {
  readonly path: () => Pointer;
  /** Begins the message; called only if there is one. */
  readonly where: () => string;
  readonly problems: ProblemList;
}

function checkPorts(ports: readonly Json[], place: Place, { isOnHost, hostPorts }: ContainerContext): void {
  if (ports.length === 0) return;
  const { where, problems } = place;
  const names = new Set<Json>();
  let index = 0;
  const path = () => `${place.path()}/ports/${index}`;
  for (; index < ports.length && !problems.isFull; index++) {
    const port = ports[index] as Json;
    if (!isJsonObject(port)) continue;
    const { name = null, containerPort = null, protocol = 'TCP', hostIP = '' } = port;
    if (name !== null && name !== '') {
      if (!isPortName(name)) {
        const expected = 'expected at most 15 lower-case letters, digits and "-", with a letter';
        problems.add(`${path()}/name`, `${where()}${expected}, found ${quoted(name)}`);
      }
      if (names.has(name)) problems.add(`${path()}/name`, `${where()}duplicate port name ${quoted(name)}`);
      names.add(name);
    }
    if (!isPort(containerPort)) {
      const message = `expected a port from 1 to 65535, found ${quoted(containerPort)}`;
      problems.add(`${path()}/containerPort`, where() + message);
    }
    problems.oneOf(port, 'protocol', path, PROTOCOLS, where);
    const hostPort = port.hostPort || (isOnHost ? containerPort : null);
    if (hostPort === null || hostPort === 0) continue;
    const key = `${protocol}/${hostIP}/${hostPort}`;
    if (!isPort(hostPort)) {
      const message = `expected a port from 1 to 65535, found ${quoted(hostPort)}`;
      problems.add(`${path()}/hostPort`, where() + message);
    } else if (isOnHost && hostPort !== containerPort) {
      problems.add(
        `${path()}/hostPort`,
        `${where()}expected ${quoted(containerPort)}, the containerPort, on hostNetwork`,
      );
    } else if (hostPorts.has(key)) {
      problems.add(`${path()}/hostPort`, `${where()}duplicate hostPort ${quoted(hostPort)}`);
    }
    hostPorts.add(key);
  }
}

function checkEnv(env: readonly Json[], before: readonly Json[], { path, where, problems }: Place): void {
  let known = 0;
  for (let index = 0; index < env.length && !problems.isFull; index++) {
    const entry = env[index] as Json;
    // Existing ones keep their order, with new ones between them.
    if (entry === before[known]) {
      known++;
      continue;
    }
    if (!isJsonObject(entry)) continue;
    const { name, value, valueFrom } = entry;
    // Since Kubernetes 1.32, any printable ASCII character but "=".
    if (typeof name !== 'string' || !/^[ -<>-~]+$/.test(name)) {
      const message = `expected printable ASCII characters without "=", found ${quoted(name)}`;
      problems.add(`${path()}/env/${index}/name`, where() + message);
    }
    if (!isJsonObject(valueFrom)) continue;
    const sources = countMembers(valueFrom);
    if ((value ?? '') !== '') {
      problems.add(`${path()}/env/${index}`, `${where()}env ${quoted(name)} has both value and valueFrom`);
    } else if (sources !== 1) {
      const message = `env ${quoted(name)} has ${sources} sources in valueFrom, expected one`;
      problems.add(`${path()}/env/${index}/valueFrom`, where() + message);
    }
  }
}

function countMembers(object: JsonObject): number {
  let count = 0;
  for (const key in object) if (object[key] !== null) count++;
  return count;
}

function checkMounts(
  mounts: readonly Json[],
  { path, where, problems }: Place,
  { volumes }: ContainerContext,
): void {
  if (mounts.length === 0) return;
  const paths = new Set<Json | undefined>();
  let index = 0;
  const at = () => `${path()}/volumeMounts/${index}`;
  for (; index < mounts.length && !problems.isFull; index++) {
    const mount = mounts[index] as Json;
    if (!isJsonObject(mount)) continue;
    const { name, mountPath, subPath, subPathExpr } = mount;
    if (!volumes.has(name)) problems.add(`${at()}/name`, `${where()}no volume ${quoted(name)} in the Pod`);
    if ((mountPath ?? '') === '') problems.add(`${at()}/mountPath`, `${where()}expected a path`);
    else if (paths.has(mountPath)) {
      problems.add(`${at()}/mountPath`, `${where()}duplicate mountPath ${quoted(mountPath)}`);
    }
    paths.add(mountPath);
    for (const field of SUB_PATHS) {
      const value = mount[field];
      if (typeof value !== 'string' || !isOutside(value)) continue;
      const message = `expected a relative path without "..", found ${quoted(value)}`;
      problems.add(`${at()}/${field}`, where() + message);
    }
    if (subPath && subPathExpr) {
      problems.add(
        `${at()}/subPathExpr`,
        `${where()}mount of ${quoted(name)} has both subPath and subPathExpr`,
      );
    }
  }
}

const SUB_PATHS = ['subPath', 'subPathExpr'];

function isOutside(path: string): boolean {
  return path.startsWith('/') || path.split('/').includes('..');
}

/** Reports requests above limits and invalid amounts, of a container or of a whole Pod. */
export function checkResources({ requests, limits }: JsonObject, place: Place): void {
  checkAmounts(membersOf(limits), 'limits', undefined, place);
  checkAmounts(membersOf(requests), 'requests', membersOf(limits), place);
}

function checkAmounts(
  amounts: JsonObject,
  field: string,
  limits: JsonObject | undefined,
  { path, where, problems }: Place,
): void {
  for (const resource in amounts) {
    const amount = amounts[resource] as Json;
    const limit = limits?.[resource] ?? null;
    const isValid = isAmount(amount) && isQuantity(String(amount)) && !isLess(amount, '0');
    if (isValid && !(isAmount(limit) && isLess(limit, amount))) continue;
    const expected = isValid ? `at most the limit ${quoted(limit)}` : 'a quantity that is not negative';
    const at = `${path()}/resources/${field}/${escapeSegment(resource)}`;
    problems.add(at, `${where()}expected ${expected}, found ${quoted(amount)}`);
  }
}

export function isAmount(value: Json | undefined): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function checkSecurityContext(settings: JsonObject, { path, where, problems }: Place): void {
  for (const field of IDS) {
    const id = settings[field];
    if (typeof id === 'number' && (id < 0 || id > 2 ** 31 - 1)) {
      problems.add(`${path()}/securityContext/${field}`, `${where()}expected 0 to 2147483647, found ${id}`);
    }
  }
  if (settings.allowPrivilegeEscalation !== false) return;
  const at = `${path()}/securityContext/allowPrivilegeEscalation`;
  if (settings.privileged === true) problems.add(at, `${where()}cannot be false if privileged is true`);
  else if (itemsOf(membersOf(settings.capabilities).add).includes('CAP_SYS_ADMIN')) {
    problems.add(at, `${where()}cannot be false with the capability CAP_SYS_ADMIN`);
  }
}

const IDS = ['runAsUser', 'runAsGroup'];
