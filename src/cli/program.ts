import { Command, InvalidArgumentError, Option } from 'commander';
import { version } from './version.ts';

/** The command line. Each command's code is loaded when it is called: `serve` must be up in no time. */
export function createProgram(): Command {
  const program = new Command('podgraft')
    .description('One Kubernetes admission server for all pod injection')
    .version(version())
    .exitOverride()
    .showHelpAfterError('(run with --help for the options)')
    .configureHelp({ sortSubcommands: false });

  const command = (name: string, description: string) => program.command(name).description(description);

  withCluster(command('serve', 'answer AdmissionReviews on /mutate and /validate'))
    .option('--port <port>', 'where to listen', port, 8443)
    .option('--host <address>', 'the address to listen on (default: all; with --http loopback only)')
    .option('--metrics-port <port>', 'where /metrics, /healthz and /readyz are in plain HTTP', port, 9090)
    .option('--tls-dir <dir>', 'folder with tls.crt and tls.key, reloaded when they change')
    .addOption(
      new Option('--self-signed', 'make a certificate for trying out, and print its caBundle').conflicts(
        'tlsDir',
      ),
    )
    .addOption(
      new Option('--http', 'plain HTTP on loopback, behind a tunnel that ends TLS').conflicts([
        'tlsDir',
        'selfSigned',
        'host',
      ]),
    )
    .addOption(
      new Option('--tls-min-version <version>', 'oldest TLS to accept')
        .choices(['1.2', '1.3'])
        .default('1.3'),
    )
    .option(
      '--service <name>',
      'Service by which the API server reaches us, for a certificate of our own',
      'podgraft',
    )
    .option('--secret <name>', 'Secret in which replicas share that certificate', 'podgraft-tls')
    .option('--webhook <name>', 'webhook configurations that are told to trust it', 'podgraft')
    .option('--kubeconfig <file>', 'a cluster to watch that we do not run in')
    .option('--context <name>', 'context of the kubeconfig')
    .option('--client-ca <file>', 'certificates that the API server must identify itself with')
    .option('--client-name <name>', 'common name of its certificate', 'kube-apiserver')
    .option('--workers <n>', 'processes that share the port', count, 1)
    .option('--drain-delay <seconds>', 'how long to go on accepting connections after SIGTERM', seconds, 0)
    .addOption(
      new Option('--log-level <level>', 'one line a review at debug')
        .choices(['debug', 'info', 'warn', 'error'])
        .default('info'),
    )
    .action(async (options) => (await import('./serve.ts')).serve(options));

  withInput(command('inject', 'inject manifests and print them'))
    .addOption(
      new Option('-o, --output <format>', 'what to print').choices(['yaml', 'json', 'patch']).default('yaml'),
    )
    .action(async (options) => (await import('./inject.ts')).inject(options));

  withInput(command('explain', 'say what every injector does to manifests, and why'))
    .addOption(
      new Option('-o, --output <format>', 'what to print').choices(['table', 'json']).default('table'),
    )
    .action(async (options) => (await import('./explain.ts')).explain(options));

  command('manifests', 'print everything for a cluster, derived from the configuration')
    .option('--config <file>', 'the configuration', 'podgraft.yaml')
    .option(
      '--name <name>',
      'of the Deployment, the Service and the webhook configurations',
      name,
      'podgraft',
    )
    .option('--namespace <name>', 'where podgraft runs', name, 'podgraft')
    .option('--image <image>', 'with a tag or digest (default: podgraft at this version)')
    .option('--replicas <n>', 'how many Pods', replicas, 2)
    .option('--fail-closed', 'refuse what podgraft could not be asked about (failurePolicy Fail)')
    .option('--timeout-seconds <n>', 'how long the API server waits for an answer', timeoutSeconds, 5)
    .option('--validate', 'check the final state as well (ValidatingWebhookConfiguration)')
    .option('--only-namespaces <names>', 'only these, separated by commas: for a gradual roll-out', names)
    .addOption(
      new Option('--tls <mode>', 'where the certificate comes from')
        .choices(['self-managed', 'cert-manager', 'secret'])
        .default('self-managed'),
    )
    .addOption(new Option('--cert-manager', 'the same as --tls cert-manager').conflicts('tls'))
    .option('--secret <name>', 'the Secret with the certificate (default: <name>-tls)')
    .addOption(
      new Option('--url <url>', 'of a server outside the cluster: only webhook configurations are printed')
        .argParser(httpsUrl)
        .conflicts(['tls', 'certManager']),
    )
    .option('--ca-bundle <file>', 'PEM of the CA, with --url or --tls secret')
    .option('--crds', 'custom resource definitions that the injectors read, for clusters without them')
    .addOption(
      new Option('--chart-values', "print the chart's values that follow from the configuration").conflicts(
        CHART_HAS_VALUES_FOR,
      ),
    )
    .addOption(new Option('-o, --output <format>', 'what to print').choices(['yaml', 'json']).default('yaml'))
    .action(async (options) => (await import('./manifests.ts')).manifests(options));

  command('certs', 'make a CA and a serving certificate for local work')
    .option('--dir <dir>', 'where ca.crt, tls.crt and tls.key go', 'certs')
    .option('--ip <address>', 'an address of the server, beside 127.0.0.1 and ::1 (repeatable)', collect, [])
    .option('--dns <name>', 'a name of the server, beside localhost (repeatable)', collect, [])
    .option('--days <n>', 'how long they are valid', days, 30)
    .option('--force', 'replace files that are there')
    .action(async (options) => (await import('./certs.ts')).certs(options));

  return program;
}

/** Flags of `manifests` that are values of the chart, to be set there. */
const CHART_HAS_VALUES_FOR = [
  ...['name', 'namespace', 'image', 'replicas', 'failClosed', 'timeoutSeconds', 'validate', 'onlyNamespaces'],
  ...['tls', 'certManager', 'secret', 'url', 'caBundle', 'crds', 'output'],
];

function withCluster(command: Command): Command {
  return command
    .option('--config <file>', 'the configuration', 'podgraft.yaml')
    .option('--cluster <path>', 'file or folder with other objects of the cluster (repeatable)', collect, []);
}

function withInput(command: Command): Command {
  return withCluster(command)
    .requiredOption('-f, --filename <path>', 'file, folder, or - for standard input (repeatable)', collect)
    .option('-n, --namespace <name>', 'namespace of objects that do not name theirs', 'default')
    .addOption(
      new Option('--operation <operation>', 'what is being done')
        .choices(['CREATE', 'UPDATE'])
        .default('CREATE'),
    )
    .option('--user <name>', 'who does it', 'kubernetes-admin');
}

function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

function port(value: string): number {
  return wholeNumber(value, 0, 65_535, 'a port');
}

function count(value: string): number {
  return wholeNumber(value, 1, 256, 'a number of processes');
}

function seconds(value: string): number {
  return wholeNumber(value, 0, 600, 'seconds');
}

function replicas(value: string): number {
  return wholeNumber(value, 1, 100, 'a number of replicas');
}

/** What the API allows. */
function timeoutSeconds(value: string): number {
  return wholeNumber(value, 1, 30, 'seconds');
}

function days(value: string): number {
  return wholeNumber(value, 1, 3650, 'days');
}

function names(value: string): string[] {
  const found = value.split(',').map((part) => part.trim());
  if (found.every(isName)) return found;
  throw new InvalidArgumentError('Expected names of namespaces, separated by commas.');
}

function name(value: string): string {
  if (isName(value)) return value;
  throw new InvalidArgumentError('Expected at most 63 lower-case letters, digits and "-".');
}

/** As Kubernetes names a Service or a namespace (RFC 1123). */
function isName(value: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(value);
}

/** The API server calls nothing else, and adds nothing to it. */
function httpsUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol === 'https:' && !url.search && !url.hash && !url.username) return value;
  throw new InvalidArgumentError('Expected an address like https://host:port.');
}

function wholeNumber(value: string, least: number, most: number, what: string): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new InvalidArgumentError(`Expected ${what} from ${least} to ${most}.`);
}
