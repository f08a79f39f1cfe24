import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Audit } from '../../src/audit/audit-cluster.ts';
import { issueServing } from '../../src/certificates/issue-certificate.ts';
import { readCertificate } from '../../src/certificates/read-certificate.ts';
import { references } from '../../tools/e2e/images.mjs';
import { accepted } from '../kubernetes/client.ts';
import { eventually } from '../kubernetes/eventually.ts';
import { sharedControlPlane } from '../kubernetes/shared-control-plane.ts';
import { podgraft } from '../podgraft-process.ts';
import { STAMP } from '../stamp.ts';
import { type Installed, installChart, installManifests, kubectl, rolledOut } from './install.ts';
import {
  certificateLoaded,
  isReady,
  replicas,
  replicasReady,
  serverProcess,
  servingCertificate,
} from './replicas.ts';
import { underLoad } from './under-load.ts';

const node = sharedControlPlane();

/** A native sidecar that writes a file for the other containers. */
const CONFIG = `${STAMP}  - name: greeter
    use: overlay
    with:
      overlay:
        spec:
          volumes:
            - {name: greeting, emptyDir: {}}
          initContainers:
            - name: greeter
              image: ${references.busybox}
              restartPolicy: Always
              command: [sh, -c, "echo hello from the sidecar > /greeting/text; exec sleep 3600"]
              volumeMounts:
                - {name: greeting, mountPath: /greeting}
          containers:
            - name: "*"
              volumeMounts:
                - {name: greeting, mountPath: /greeting}
`;

const installations = [
  {
    how: 'the manifests, with failurePolicy Fail',
    namespace: 'shop-fail',
    install: () => installManifests(node, CONFIG, '--fail-closed'),
    isFail: true,
  },
  {
    how: 'the chart, with failurePolicy Ignore',
    namespace: 'shop-ignore',
    install: () => installChart(node, CONFIG),
    isFail: false,
  },
];

describe.each(installations)('installed from $how', ({ namespace, install, isFail }) => {
  let installed: Installed;

  beforeAll(async () => {
    installed = await install();
    await kubectl(node, ['create', 'namespace', namespace]);
  });
  afterAll(async () => {
    await kubectl(node, ['delete', 'namespace', namespace, '--wait=false']);
    await installed?.uninstall();
  });

  it('two replicas are ready, and the Pods of a Deployment run with what was injected', async () => {
    const found = await replicas(node, installed);
    expect(found.map(isReady)).toEqual([true, true]);

    await kubectl(node, ['apply', '-n', namespace, '-f', '-'], reader('web', 2));
    await rolledOut(node, { namespace, name: 'web' });
    const logs = ['logs', '-n', namespace, 'deployment/web', '-c', 'app'];
    await eventually('the application reads the file', async () =>
      (await kubectl(node, logs)).includes('hello from the sidecar'),
    );
  });

  it('a rolling restart loses nothing', async () => {
    const before = names(await replicas(node, installed));
    const { created, failures, uninjected } = await underLoad(node, namespace, async () => {
      await restart(installed);
      await rolledOut(node, installed);
      await replicasReady(node, installed, 2);
    });
    expect(names(await replicas(node, installed)).filter((name) => before.includes(name))).toEqual([]);
    expect({ failures, uninjected }).toEqual({ failures: [], uninjected: [] });
    console.log(`rolling restart: ${created} creates, none failed or went uninjected`);
  });

  it('a drain of the node respects the PodDisruptionBudget and loses nothing', async () => {
    const before = names(await replicas(node, installed));
    const { created, failures, uninjected } = await underLoad(node, namespace, async () => {
      const drain = node.kubectl([
        ...['drain', 'node1', '--pod-selector=app.kubernetes.io/name=podgraft', '--timeout=100s'],
      ]);
      await eventually(
        'the drain has evicted one of two',
        async () => {
          const left = (await replicas(node, installed)).filter((each) =>
            before.includes(each.metadata.name),
          );
          return left.length === 1 && left.every(isReady);
        },
        { within: 60_000 },
      );
      // There is no other node for the replacement. The last replica must stay until there is one.
      await new Promise((resolve) => setTimeout(resolve, 6_000));
      expect((await replicas(node, installed)).filter(isReady)).toHaveLength(1);
      await kubectl(node, ['uncordon', 'node1']);
      const { code, stderr } = await drain;
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('disruption budget') });
      await replicasReady(node, installed, 2);
    });
    expect(names(await replicas(node, installed)).filter((name) => before.includes(name))).toEqual([]);
    expect({ failures, uninjected }).toEqual({ failures: [], uninjected: [] });
    console.log(`drain: ${created} creates, none failed or went uninjected`);
  });

  it('a certificate that is due is renewed, without losing anything', async () => {
    const secret = `/api/v1/namespaces/${installed.namespace}/secrets/${installed.name}-tls`;
    const { data } = accepted(await node.request<Secret>('GET', secret));
    const text = (key: string) => Buffer.from(data[key] ?? '', 'base64').toString();
    const ca = { certificate: text('ca.crt'), key: text('ca.key') };
    // Valid for another day of its seven.
    const now = new Date(Date.now() - 6 * 24 * 3_600_000);
    const dnsNames =
      readCertificate(text('tls.crt')).subjectAltName?.replaceAll('DNS:', '').split(', ') ?? [];
    const old = issueServing({ ca, dnsNames, days: 7, now });
    const encoded = (pem: string) => Buffer.from(pem).toString('base64');
    const { created, failures, uninjected } = await underLoad(node, namespace, async () => {
      const aged = { 'tls.crt': encoded(old.certificate), 'tls.key': encoded(old.key) };
      accepted(await node.request('PATCH', secret, { data: aged }));
      const renewed = await eventually('a new certificate', async () => {
        const found = await servingCertificate(node, installed);
        return found !== old.certificate && found;
      });
      await certificateLoaded(node, installed, renewed);
    });
    expect({ failures, uninjected }).toEqual({ failures: [], uninjected: [] });
    console.log(`certificate renewal: ${created} creates, none failed or went uninjected`);
  });

  it('kill -9 of each replica loses only what is sent to it before the node notices', async () => {
    const { created, failures, uninjected } = await underLoad(node, namespace, async () => {
      // The API server keeps its connection to one of them.
      for (const victim of await replicas(node, installed)) {
        process.kill(serverProcess(victim), 'SIGKILL');
        await eventually('the node has noticed', async () => {
          const found = await replicas(node, installed);
          return found.some((each) => each.metadata.uid === victim.metadata.uid && !isReady(each));
        });
        await replicasReady(node, installed, 2);
      }
    });
    const lost = failures.length + uninjected.length;
    // Either, depending on the policy; never a wrong answer.
    expect(isFail ? uninjected : failures).toEqual([]);
    // About a second of the load. Connections that are opened meanwhile go to either replica, and a good one is kept.
    expect(lost).toBeLessThan(40);
    console.log(`kill -9: ${created} creates, ${lost} lost`);

    const after = await underLoad(node, namespace, async () => {});
    expect({ failures: after.failures, uninjected: after.uninjected }).toEqual({
      failures: [],
      uninjected: [],
    });
  });

  it('starts again after all replicas were gone, and Pods created meanwhile are found and restarted', async () => {
    await kubectl(node, ['apply', '-n', namespace, '-f', '-'], reader('before', 1));
    await rolledOut(node, { namespace, name: 'before' });
    await scale(installed, 0);
    await eventually('no replica', async () => (await replicas(node, installed)).length === 0, {
      within: 60_000,
    });

    await kubectl(node, ['apply', '-n', namespace, '-f', '-'], sleeper('during', 2));
    const bare = await node.kubectl([
      ...['run', 'bare', '-n', namespace, `--image=${references.busybox}`, '--restart=Never'],
    ]);
    if (isFail)
      expect(bare).toMatchObject({ code: 1, stderr: expect.stringContaining('failed calling webhook') });
    else {
      expect(bare).toMatchObject({ code: 0 });
      await rolledOut(node, { namespace, name: 'during' });
    }

    await scale(installed, 2);
    await replicasReady(node, installed, 2);
    await rolledOut(node, { namespace, name: 'during' });
    const missed = await audit(installed, namespace);
    if (isFail) {
      expect(missed).toEqual([]);
      return;
    }
    const reason = 'Podgraft was not called, or did not answer';
    expect(missed).toEqual([
      ...['greeter', 'stamp'].map((injector) => ({
        kind: 'Deployment',
        name: 'during',
        injector,
        reason,
        podCount: 2,
      })),
      ...['greeter', 'stamp'].map((injector) => ({
        kind: 'Pod',
        name: 'bare',
        injector,
        reason,
        podCount: 1,
      })),
    ]);

    await kubectl(node, ['-n', namespace, 'rollout', 'restart', 'deployment/during']);
    await rolledOut(node, { namespace, name: 'during' });
    await kubectl(node, ['-n', namespace, 'delete', 'pod', 'bare', '--grace-period=1']);
    await eventually('nothing is missing', async () => (await audit(installed, namespace)).length === 0);
  });
});

interface Secret {
  readonly data: Readonly<Record<string, string>>;
}

const names = (pods: Awaited<ReturnType<typeof replicas>>) => pods.map(({ metadata }) => metadata.name);

async function restart({ namespace, name }: Installed): Promise<void> {
  await kubectl(node, ['-n', namespace, 'rollout', 'restart', `deployment/${name}`]);
}

async function scale({ namespace, name }: Installed, count: number): Promise<void> {
  await kubectl(node, ['-n', namespace, 'scale', `deployment/${name}`, `--replicas=${count}`]);
}

async function audit({ name }: Installed, namespace: string) {
  const access = ['--kubeconfig', node.kubeconfig, '--webhook', name];
  const { code, stdout, stderr } = await podgraft(['audit', ...access, '-n', namespace, '-o', 'json']);
  expect({ code, stderr }).toEqual({ code: expect.toBeOneOf([0, 1]), stderr: '' });
  const { findings } = JSON.parse(stdout) as Audit;
  return findings.map(({ workload: { kind, name }, injector, reason, podCount }) => ({
    kind,
    name,
    injector,
    reason,
    podCount,
  }));
}

/** An application that prints what the sidecar writes. */
const reader = (name: string, count: number) =>
  deployment(name, count, 'until cat /greeting/text; do sleep 0.2; done; exec sleep 3600');

const sleeper = (name: string, count: number) => deployment(name, count, 'exec sleep 3600');

function deployment(name: string, count: number, script: string) {
  const labels = { app: name };
  const app = { name: 'app', image: references.busybox, command: ['sh', '-c', script] };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas: count,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { terminationGracePeriodSeconds: 1, containers: [app] } },
    },
  };
}
