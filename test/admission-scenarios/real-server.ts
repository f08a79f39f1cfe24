import { randomBytes } from 'node:crypto';
import { mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../src/json/json.ts';
import { type ControlPlane, startControlPlane } from '../kubernetes/control-plane.ts';
import { eventually } from '../kubernetes/eventually.ts';
import { WIDGETS } from './model-server.ts';
import type { ScenarioRequest } from './scenario.ts';

/** A real API server with the users, the custom resource and the audit log of the recorded one. */
export interface RealServer {
  send(request: ScenarioRequest, headers?: { readonly [name: string]: string }): Promise<RealAnswer>;
  /** Creates a configuration; the Status if it is rejected. */
  configure(configuration: JsonObject): Promise<JsonObject | undefined>;
  /** Removes all configurations and policies. */
  reset(): Promise<void>;
  /** Waits until the server acts on the configurations that exist. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

export interface RealAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly warnings: readonly string[];
  readonly auditAnnotations: { readonly [key: string]: string };
}

const KINDS = [
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
];
/** Where requests go that name no path. */
const PODS = '/api/v1/namespaces/default/pods';
const REGISTRATION = '/apis/admissionregistration.k8s.io/v1';

export async function startRealServer(disabledPlugins: readonly string[]): Promise<RealServer> {
  const folder = mkdtempSync(join(tmpdir(), 'podgraft-scenarios-'));
  const tokens = Object.fromEntries(
    ['admin', 'alice', 'rs'].map((user) => [user, randomBytes(16).toString('hex')]),
  );
  const files = writeFiles(folder, tokens);
  const plane = await startControlPlane({
    controllers: false,
    apiServerArgs: [
      `--token-auth-file=${files.tokens}`,
      `--audit-policy-file=${files.policy}`,
      `--audit-log-path=${files.log}`,
      ...(disabledPlugins.length > 0 ? [`--disable-admission-plugins=${disabledPlugins.join(',')}`] : []),
    ],
    token: tokens.admin as string,
  });
  const agent = new Agent({ keepAlive: true, ca: plane.ca });
  await plane.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', WIDGETS);
  await eventually('custom resources are served', async () => {
    const { status } = await plane.request('GET', '/apis/example.com/v1/widgets');
    return status === 200;
  });
  const annotationsOf = auditLog(files.log);
  /** Policies stay in effect until the server notices that they are gone. */
  let hasPolicies = false;
  let willHavePolicies = false;
  return {
    async send(request, headers = {}) {
      const token = tokens[request.user ?? 'admin'] as string;
      const answer = await send(plane, agent, token, request, headers);
      await untilCached(plane, request, answer);
      return { ...answer, auditAnnotations: await annotationsOf(answer.auditId) };
    },
    async configure(configuration) {
      const kind = String(configuration.kind);
      if (kind.includes('Policy')) willHavePolicies = true;
      const resource = KINDS.find((each) => each === `${kind.toLowerCase().replace(/y$/, 'ie')}s`);
      const { status, body } = await plane.request('POST', `${REGISTRATION}/${resource}`, configuration);
      return status === 201 ? undefined : (body as JsonObject);
    },
    async reset() {
      for (const kind of KINDS) await plane.request('DELETE', `${REGISTRATION}/${kind}`);
    },
    async settle() {
      // Webhooks are watched; policies are polled once a second.
      await sleep(hasPolicies || willHavePolicies ? 2_500 : 400);
      hasPolicies = willHavePolicies;
      willHavePolicies = false;
    },
    async stop() {
      agent.destroy();
      await plane.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

function writeFiles(folder: string, tokens: { readonly [user: string]: string }) {
  const paths = {
    tokens: join(folder, 'tokens.csv'),
    policy: join(folder, 'audit.yaml'),
    log: join(folder, 'audit.log'),
  };
  const rs = 'system:serviceaccount:kube-system:replicaset-controller';
  const lines = [
    `${tokens.admin},admin,admin-uid,"system:masters"`,
    `${tokens.alice},alice,alice-uid`,
    `${tokens.rs},${rs},rs-uid,"system:serviceaccounts,system:serviceaccounts:kube-system"`,
  ];
  writeFileSync(paths.tokens, `${lines.join('\n')}\n`);
  const rules = [
    { level: 'Request', verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'] },
    { level: 'None' },
  ];
  writeFileSync(paths.policy, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }));
  writeFileSync(paths.log, '');
  return paths;
}

/**
 * Waits until the server's cache has what a request stored. An update starts from the cached object; if that is out of date, the server
 * starts again with the stored one, and calls every webhook twice.
 */
async function untilCached(plane: ControlPlane, { path = PODS }: ScenarioRequest, { body }: Sent) {
  const version = (body as { readonly metadata?: { readonly resourceVersion?: string } }).metadata
    ?.resourceVersion;
  const isStored = version !== undefined && version !== '' && !path.includes('dryRun');
  if (isStored) await plane.request('GET', `${path.split('?')[0]}?resourceVersion=${version}`);
}

type Sent = Omit<RealAnswer, 'auditAnnotations'> & { readonly auditId: string | undefined };

function send(
  { url }: ControlPlane,
  agent: Agent,
  token: string,
  { method = 'POST', path = PODS, contentType, body }: ScenarioRequest,
  extra: { readonly [name: string]: string },
): Promise<Sent> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    'user-agent': 'probe/1.0',
    ...(payload !== undefined && { 'content-type': contentType ?? 'application/json' }),
    ...extra,
  };
  return new Promise((resolve, reject) => {
    const call = httpsRequest(new URL(path, url), { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const type = response.headers['content-type'] ?? '';
        const parsed = text.startsWith('{') ? (JSON.parse(text) as JsonObject) : text;
        const isPlain = typeof parsed === 'object' && type.startsWith('text/plain');
        resolve({
          status: response.statusCode ?? 0,
          body: isPlain ? { ...parsed, _contentType: type } : parsed,
          warnings: response.rawHeaders.filter(
            (_, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === 'warning',
          ),
          auditId: method === 'GET' ? undefined : [response.headers['audit-id']].flat()[0],
        });
      });
    });
    call.on('error', (error) => {
      const isClosed = 'code' in error && error.code === 'ECONNRESET';
      if (!isClosed) reject(error);
      else
        resolve({
          status: 0,
          body: '<connection closed without a response>',
          warnings: [],
          auditId: undefined,
        });
    });
    call.end(payload);
  });
}

/** Follows the audit log. */
function auditLog(path: string): (auditId: string | undefined) => Promise<RealAnswer['auditAnnotations']> {
  const file = openSync(path, 'r');
  let rest = '';
  const events = new Map<string, RealAnswer['auditAnnotations']>();
  const buffer = Buffer.alloc(1 << 20);
  const read = () => {
    for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer)) {
      const lines = (rest + buffer.toString('utf8', 0, size)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const { auditID, stage, annotations } = JSON.parse(line) as AuditEvent;
        if (stage === 'ResponseComplete') events.set(auditID, annotations ?? {});
      }
    }
  };
  return async (auditId) => {
    if (auditId === undefined) return {};
    // The server writes the event right after its answer.
    const found = await eventually(
      'the request is in the audit log',
      () => {
        read();
        return events.get(auditId);
      },
      { within: 10_000, every: 20 },
    );
    events.clear();
    return Object.fromEntries(
      Object.entries(found).filter(([key]) => !/^(authorization|pod-security|apiserver)\b/.test(key)),
    );
  };
}

interface AuditEvent {
  readonly auditID: string;
  readonly stage: string;
  readonly annotations?: RealAnswer['auditAnnotations'];
}
