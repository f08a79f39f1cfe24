import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { awsProgram } from '../../tools/e2e/aws-program.mjs';
import { references } from '../../tools/e2e/images.mjs';
import { imageName } from '../../tools/image/archive.mjs';
import { accepted } from '../kubernetes/client.ts';
import { eventually } from '../kubernetes/eventually.ts';
import { sharedControlPlane } from '../kubernetes/shared-control-plane.ts';
import { type Installed, installManifests, kubectl, rolledOut } from './install.ts';

const node = sharedControlPlane();
const namespace = 'agents';
const role = 'arn:aws:iam::444455556666:role/reports';

const CONFIG = `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - name: telemetry
    use: opentelemetry
    with: {languages: [java, nodejs, python]}
  - name: logs
    use: filebeat
    with:
      image: ${references.filebeat}
      kubernetesVersion: "1.36"
      envFrom: [{secretRef: {name: filebeat-elasticsearch}}]
      lifecycle: {exec: {command: [sh, -c, sleep 1]}}
  - name: aws
    use: pod-identity
    with: {awsDefaultRegion: eu-central-1}
`;

let installed: Installed;
/** Address of the receiver's Service. There is no DNS in this cluster. */
let receiver: string;

beforeAll(async () => {
  installed = await installManifests(node, CONFIG, '--crds', '--fail-closed');
  await kubectl(node, ['create', 'namespace', namespace]);
  receiver = await startReceiver();
  await apply({
    apiVersion: 'opentelemetry.io/v1alpha1',
    kind: 'Instrumentation',
    metadata: { name: 'default' },
    spec: {
      exporter: { endpoint: receiver },
      java: {
        image: references.javaAgent,
        env: [{ name: 'OTEL_EXPORTER_OTLP_PROTOCOL', value: 'http/protobuf' }],
      },
      nodejs: { image: references.nodeAgent },
      python: { image: references.pythonAgent },
    },
  });
});
afterAll(async () => {
  await kubectl(node, ['delete', 'namespace', namespace, '--wait=false']);
  await installed?.uninstall();
});

const ENV = [
  { name: 'OTEL_BSP_SCHEDULE_DELAY', value: '500' },
  // Otherwise Java's agent leaves programs alone that start from source, as it does with the compiler.
  { name: 'OTEL_JAVAAGENT_ENABLED', value: 'true' },
];
const languages = [
  {
    language: 'nodejs',
    image: imageName,
    file: 'app.cjs',
    command: ['/usr/local/bin/node', '/app/source/app.cjs'],
    source: () => `setInterval(() => require('node:http').get('${receiver}/from-nodejs'), 1000);`,
  },
  {
    language: 'java',
    image: references.java,
    file: 'App.java',
    command: ['/usr/lib/jvm/java-17-openjdk-amd64/bin/java', '/app/source/App.java'],
    source: () => `import java.net.*;
class App {
  public static void main(String[] args) throws Exception {
    while (true) {
      new URL("${receiver}/from-java").openConnection().getInputStream().close();
      Thread.sleep(1000);
    }
  }
}`,
  },
  {
    language: 'python',
    image: references.python,
    file: 'app.py',
    command: ['/usr/bin/python3.11', '/app/source/app.py'],
    source: () => `import time, urllib.request
while True:
    urllib.request.urlopen("${receiver}/from-python").read()
    time.sleep(1)
`,
  },
];

it.each(languages)('the OpenTelemetry agent for $language sends a span from its Pod', async (app) => {
  const { language, image, file, command, source } = app;
  const name = `app-${language}`;
  await apply(configMap(name, { [file]: source() }));
  await apply(
    deployment(name, {
      annotations: { [`instrumentation.opentelemetry.io/inject-${language}`]: 'true' },
      container: {
        image,
        command,
        env: ENV,
        volumeMounts: [{ name: 'source', mountPath: '/app/source' }],
      },
      volumes: [{ name: 'source', configMap: { name } }],
    }),
  );
  await rolledOut(node, { namespace, name });
  const pod = await podOf(name);
  const span = await received('span', ({ strings }) => strings?.includes(pod) ?? false);
  // The name of the service is that of the Deployment, and the span is the application's own request.
  expect(span.strings).toEqual(expect.arrayContaining([name, namespace, 'node1']));
  expect(span.strings?.some((text) => text.includes(`/from-${language}`))).toBe(true);
});

it('Filebeat ships a line that the application writes, with the configuration of the example', async () => {
  const file = new URL('../../examples/filebeat/configmap.yaml', import.meta.url);
  await apply(parse(readFileSync(file, 'utf8')));
  const data = {
    ELASTICSEARCH_HOSTS: receiver,
    ELASTICSEARCH_API_KEY: 'id:key',
    ELASTICSEARCH_CA_FINGERPRINT: '0'.repeat(64),
  };
  await apply({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'filebeat-elasticsearch' },
    stringData: data,
  });
  await apply(
    deployment('shop', {
      annotations: { 'filebeat.enabled': 'true', 'filebeat.log-path': '/var/log/shop/*.log' },
      container: {
        image: references.busybox,
        command: ['sh', '-c', 'echo "an order was placed" >> /var/log/shop/orders.log; exec sleep 3600'],
      },
    }),
  );
  await rolledOut(node, { namespace, name: 'shop' });
  const { document } = await received(
    'log line',
    ({ document }) => document?.message === 'an order was placed',
  );
  expect(document).toMatchObject({ kubernetes: { namespace, labels: { app: 'shop' } } });
});

it('the AWS SDK gets region, role and token from the environment, and credentials from STS', async () => {
  const metadata = { name: 'reports', annotations: { 'eks.amazonaws.com/role-arn': role } };
  await apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  await apply(configMap('reports', { 'program.mjs': await awsProgram() }));
  await apply(
    deployment('reports', {
      serviceAccountName: 'reports',
      container: {
        image: imageName,
        command: ['/usr/local/bin/node', '/app/source/program.mjs'],
        // The only setting that a real cluster does not have: there, the region decides.
        env: [{ name: 'AWS_ENDPOINT_URL_STS', value: receiver }],
        volumeMounts: [{ name: 'source', mountPath: '/app/source' }],
      },
      volumes: [{ name: 'source', configMap: { name: 'reports' } }],
    }),
  );
  await rolledOut(node, { namespace, name: 'reports' });
  const asked = await received('web identity', ({ role: asked }) => asked === role);
  expect(asked).toMatchObject({
    sub: `system:serviceaccount:${namespace}:reports`,
    aud: ['sts.amazonaws.com'],
  });
  await eventually('the program has credentials', async () => {
    const output = await kubectl(node, ['logs', '-n', namespace, 'deployment/reports']);
    return output.includes(JSON.stringify({ accessKeyId: 'ASIAEXAMPLE', region: 'eu-central-1' }));
  });
});

/** A line that the receiver prints. */
interface Line {
  readonly received: string;
  readonly strings?: readonly string[];
  readonly document?: { readonly message?: string };
  readonly role?: string;
}

async function startReceiver(): Promise<string> {
  const script = readFileSync(new URL('receiver.mjs', import.meta.url), 'utf8');
  await apply(configMap('receiver', { 'receiver.mjs': script }));
  const container = {
    image: imageName,
    command: ['/usr/local/bin/node', '/app/source/receiver.mjs'],
    volumeMounts: [{ name: 'source', mountPath: '/app/source' }],
  };
  const volumes = [{ name: 'source', configMap: { name: 'receiver' } }];
  await apply(deployment('receiver', { container, volumes }));
  const spec = { selector: { app: 'receiver' }, ports: [{ port: 8080 }] };
  await apply({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'receiver' }, spec });
  await rolledOut(node, { namespace, name: 'receiver' });
  const path = `/api/v1/namespaces/${namespace}/services/receiver`;
  const service = accepted(await node.request<{ spec: { clusterIP: string } }>('GET', path));
  return `http://${service.spec.clusterIP}:8080`;
}

async function received(kind: string, isWanted: (line: Line) => boolean): Promise<Line> {
  return eventually(
    `the receiver gets a ${kind}`,
    async () => {
      const output = await kubectl(node, ['logs', '-n', namespace, 'deployment/receiver']);
      const lines = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line);
      return lines.find((line) => line.received === kind && isWanted(line));
    },
    { within: 90_000, every: 1_000 },
  );
}

async function podOf(app: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/pods?labelSelector=app=${app}`;
  const { items } = accepted(await node.request<{ items: { metadata: { name: string } }[] }>('GET', path));
  return items[0]?.metadata.name ?? '';
}

async function apply(object: object): Promise<void> {
  await kubectl(node, ['apply', '--server-side', '-n', namespace, '-f', '-'], object);
}

function configMap(name: string, data: Readonly<Record<string, string>>) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

interface App {
  readonly container: object;
  readonly annotations?: object;
  readonly volumes?: readonly object[];
  readonly serviceAccountName?: string;
}

function deployment(name: string, { container, annotations = {}, ...spec }: App) {
  const labels = { app: name };
  const containers = [{ name: 'app', ...container }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations },
        spec: { terminationGracePeriodSeconds: 1, containers, ...spec },
      },
    },
  };
}
