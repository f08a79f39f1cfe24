// The images of test/e2e besides Podgraft's own, made without a registry of images: from packages of Debian, npm, PyPI and Maven, and from
// programs built here.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extractPackages } from '../extract-packages.mjs';
import { goProgramPath, goProgramVersion } from '../go-program-path.mjs';
import { cachedFolder } from './cached-folder.mjs';
import { writeImage } from './write-image.mjs';

const JAVA_AGENT = 'io.opentelemetry.javaagent:opentelemetry-javaagent:2.33.1';
const PYTHON_AGENT = [
  'opentelemetry-distro==0.66b1',
  'opentelemetry-exporter-otlp-proto-http==1.45.1',
  'opentelemetry-instrumentation-urllib==0.66b1',
];
const C_LIBRARIES = ['libc6', 'libgcc-s1', 'libstdc++6', 'zlib1g'];
const JAVA = [...C_LIBRARIES, 'openjdk-17-jdk-headless', 'openjdk-17-jre-headless'];
const PYTHON = [
  ...C_LIBRARIES,
  ...['python3.11-minimal', 'libpython3.11-minimal', 'libpython3.11-stdlib', 'media-types'],
  ...['libexpat1', 'libssl3', 'libffi8', 'libbz2-1.0', 'liblzma5', 'libuuid1'],
];
const NODE_AGENT = fileURLToPath(new URL('opentelemetry-node/', import.meta.url));

/** A change in how images are filled makes new ones. */
const THIS_FILE = readFileSync(new URL(import.meta.url), 'utf8');

/** What Pods call each image, its settings, and how its root file system is filled. A kubelet would try to pull a tag `latest`. */
const images = {
  // Also the sandbox of every Pod, which only has to wait.
  busybox: {
    reference: 'localhost/busybox:1',
    config: { Entrypoint: ['/bin/busybox', 'sleep', '2147483647'] },
    fill: addBusybox,
  },
  java: { reference: 'localhost/java:17', fill: addJava },
  python: {
    reference: 'localhost/python:3.11',
    fill: (root) => extractPackages(PYTHON, root),
  },
  nodeAgent: {
    reference: 'localhost/opentelemetry-node:1',
    depends: readFileSync(join(NODE_AGENT, 'package-lock.json'), 'utf8'),
    fill: addNodeAgent,
  },
  javaAgent: { reference: 'localhost/opentelemetry-java:1', fill: addJavaAgent },
  pythonAgent: { reference: 'localhost/opentelemetry-python:1', fill: addPythonAgent },
  filebeat: goImage('filebeat', { config: { WorkingDir: '/usr/share/filebeat' }, fill: addFilebeat }),
  // Its chart insists on a user other than root.
  certManagerController: goImage('cert-manager-controller', { config: { User: '1000' } }),
  certManagerCainjector: goImage('cert-manager-cainjector', { config: { User: '1000' } }),
  certManagerWebhook: goImage('cert-manager-webhook', { config: { User: '1000' } }),
};

/** What Pods call the images. */
export const references = Object.fromEntries(
  Object.entries(images).map(([name, { reference }]) => [name, reference]),
);

/** Archives of all images. Those that are not in the cache are made. */
export async function imageArchives() {
  const archives = [];
  for (const [name, { reference, depends, config, fill }] of Object.entries(images)) {
    const recipe = { reference, depends, config, THIS_FILE };
    const folder = await cachedFolder(`image-${name}`, recipe, async (made) => {
      const root = join(made, 'root');
      mkdirSync(root);
      await fill(root);
      writeImage(join(made, 'image.tar'), { name: reference, folder: root, config });
      rmSync(root, { recursive: true });
    });
    archives.push(join(folder, 'image.tar'));
  }
  return archives;
}

/** An image of one static program. */
function goImage(name, { config, fill } = {}) {
  return {
    reference: `localhost/${name}:${goProgramVersion(name)}`,
    config: { Entrypoint: [`/${name}`], ...config },
    fill: (root) => {
      cpSync(goProgramPath(name), join(root, name));
      fill?.(root);
    },
  };
}

/** A shell and tools in one static program. */
function addBusybox(root) {
  const packages = `${root}.busybox`;
  extractPackages(['busybox-static'], packages);
  mkdirSync(join(root, 'bin'), { recursive: true });
  cpSync(join(packages, 'bin/busybox'), join(root, 'bin/busybox'));
  rmSync(packages, { recursive: true });
  for (const name of ['sh', 'cp', 'sleep', 'cat', 'echo']) symlinkSync('busybox', join(root, 'bin', name));
  mkdirSync(join(root, 'tmp'));
  chmodSync(join(root, 'tmp'), 0o1777);
}

/** With the compiler, so that a test can run a source file. */
function addJava(root) {
  extractPackages(JAVA, root);
  rmSync(join(root, 'usr/lib/jvm/java-17-openjdk-amd64/jmods'), { recursive: true });
  mkdirSync(join(root, 'tmp'));
}

/** The layout of the operator's image: the folder that the injector copies, and `cp`. */
function addNodeAgent(root) {
  addBusybox(root);
  const folder = join(root, 'autoinstrumentation');
  cpSync(NODE_AGENT, folder, { recursive: true });
  execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  writeFileSync(
    join(folder, 'autoinstrumentation.js'),
    "require('@opentelemetry/auto-instrumentations-node/register');\n",
  );
}

function addJavaAgent(root) {
  addBusybox(root);
  const downloads = `${root}.maven`;
  const settings = [`-Dmaven.repo.local=${downloads}/repository`, `-DoutputDirectory=${downloads}`];
  execFileSync('mvn', ['-q', '-B', ...settings, 'dependency:copy', `-Dartifact=${JAVA_AGENT}`]);
  const [, name, version] = JAVA_AGENT.split(':');
  cpSync(join(downloads, `${name}-${version}.jar`), join(root, 'javaagent.jar'));
  rmSync(downloads, { recursive: true });
}

function addPythonAgent(root) {
  addBusybox(root);
  const target = ['--target', join(root, 'autoinstrumentation'), '--no-cache-dir'];
  const platform = [
    '--python-version',
    '3.11',
    '--platform',
    'manylinux2014_x86_64',
    '--only-binary',
    ':all:',
  ];
  execFileSync('python3', ['-m', 'pip', 'install', '-q', ...platform, ...target, ...PYTHON_AGENT]);
}

/** It writes its state below its own folder. */
function addFilebeat(root) {
  addBusybox(root);
  mkdirSync(join(root, 'usr/share/filebeat'), { recursive: true });
}
