import { Argument, Command, Help, Option } from 'commander';
import { DEFAULT_LIMITS } from '../server/limits/limits.ts';
import { version } from '../version.ts';
import { EXAMPLES } from './examples.ts';
import { choice, collect, duration, httpsUrl, name, names, number } from './option-values.ts';

/** The command line. A command's code is loaded when the command runs, so that each starts fast. */
export function createProgram(): Command {
  const program = new Command('podgraft')
    .description('One Kubernetes admission server for all pod injection')
    .version(version())
    .exitOverride()
    .showHelpAfterError('(run with --help to list the options)')
    .configureHelp({ sortSubcommands: false, optionDescription: describeOption });
  const command = (name: string, description: string) => {
    const examples = EXAMPLES[name]?.map((example) => `\n  $ podgraft ${example}`).join('') ?? '';
    return program
      .command(name)
      .description(description)
      .addHelpText('after', examples === '' ? '' : `\nExamples:${examples}`);
  };

  withCluster(command('serve', 'answer AdmissionReviews on /mutate and /validate'))
    .option('--port <port>', 'port to listen on', number(0, 65_535), 8443)
    .option('--host <address>', 'address to listen on (default: all; loopback with --http)')
    .option(
      '--metrics-port <port>',
      'port for /metrics, /healthz and /readyz, plain HTTP',
      number(0, 65_535),
      9090,
    )
    .option('--tls-dir <dir>', 'folder with tls.crt and tls.key, reloaded when they change')
    .addOption(
      new Option('--self-signed', 'create a temporary certificate and print its caBundle').conflicts(
        'tlsDir',
      ),
    )
    .addOption(
      new Option('--http', 'plain HTTP on loopback, behind a tunnel that terminates TLS').conflicts([
        'tlsDir',
        'selfSigned',
        'host',
      ]),
    )
    .addOption(choice('--tls-min-version <version>', 'oldest TLS version to accept', ['1.2', '1.3'], '1.3'))
    .option('--service <name>', 'Service of a self-managed certificate', 'podgraft')
    .option('--secret <name>', 'Secret in which replicas share a self-managed certificate', 'podgraft-tls')
    .option('--webhook <name>', 'webhook configurations that receive the caBundle', 'podgraft')
    .option(
      '--manage-webhooks <hash>',
      'write the rules of the webhook configurations, if they have this hash',
    )
    .option('--validate', 'expect calls of /validate: mark objects, so that all replicas can check them')
    .option('--kubeconfig <file>', 'cluster to watch, if not the one podgraft runs in')
    .option('--context <name>', 'context of the kubeconfig')
    .option('--client-ca <file>', 'CA of the client certificate that the API server must present')
    .option('--client-name <name>', 'common name of that client certificate', 'kube-apiserver')
    .option('--workers <n>', 'number of processes that share the port', number(1, 256), 1)
    .option(
      '--watchdog <seconds>',
      'end the process if one review blocks all others for this long; 0 turns it off',
      number(0, 600),
      DEFAULT_LIMITS.blockedMs / 1000,
    )
    .option('--page', 'show the last decisions at /page/ of the metrics port, for kubectl port-forward')
    .option(...AUDIT_INTERVAL)
    .option(...RESTART_MISSED)
    .option('--drain-delay <seconds>', 'how long to accept connections after SIGTERM', number(0, 600), 0)
    .addOption(
      choice(
        '--log-level <level>',
        'lowest level to log; debug logs every review',
        ['debug', 'info', 'warn', 'error'],
        'info',
      ),
    )
    .action(async (options) => (await import('./serve.ts')).serve(options));

  withInput(command('inject', 'inject manifests and print them'))
    .requiredOption(...FILENAME)
    .addOption(choice('-o, --output <format>', 'output format', ['yaml', 'json', 'patch', 'diff']))
    .action(async (options) => (await import('./inject.ts')).inject(options));

  withInput(command('explain', 'show what each injector does to manifests or objects of a cluster, and why'))
    .argument('[resources...]', 'objects of the cluster, such as pod/web or deploy/web')
    .option(...FILENAME)
    .addOption(choice('-o, --output <format>', 'output format', ['table', 'json', 'html']))
    .option('--changed', 'only objects and injectors that change something, are denied or fail')
    .option('--injector <name>', 'only this injector')
    .action(async (resources, options) => (await import('./explain.ts')).explain({ ...options, resources }));

  withObjects(command('playground', 'show in a browser what admission does to an object'))
    .option('--config <file>', 'configuration file (default: an example)')
    .option(
      '--webhook <file>',
      'webhook configurations of other servers, called over HTTPS (repeatable)',
      collect,
      [],
    )
    .option(
      '--verified <file>',
      'report of podgraft verify -o json, shown beside the webhooks that it is about (repeatable)',
      collect,
      [],
    )
    .option(
      '--port <port>',
      'port to listen on, on loopback (default: 8080, or a free one if it is in use)',
      number(0, 65_535),
    )
    .option(
      '--control-plane <dir>',
      'start a real etcd and kube-apiserver from the binaries of this folder, or auto to find them',
    )
    .option('--open', 'open the page in the browser')
    .action(async (options) => (await import('./playground.ts')).playground(options));

  command('test', 'check the configuration against cases: files with objects and their expected results')
    .argument('<folders...>', 'folders with NAME.yaml and NAME.out.yaml')
    .option(
      '--config <file>',
      'configuration file (default: podgraft.yaml in the folder, its parent, or here)',
    )
    .option('--update', 'write the expected results instead of comparing with them')
    .action(async (folders, options) => (await import('./test.ts')).test(folders, options));

  command('audit', 'find running Pods that lack what the configuration injects')
    .option('--kubeconfig <file>', 'cluster to audit (default: KUBECONFIG, or the one podgraft runs in)')
    .option('--context <name>', 'context of the kubeconfig')
    .addOption(new Option('-n, --namespace <name>', 'only this namespace').conflicts('allNamespaces'))
    .option('-A, --all-namespaces', 'all namespaces (the default)')
    .option('--config <file>', 'configuration file (default: the one in force)')
    .option('--webhook <name>', 'webhook configuration of the configuration in force', 'podgraft')
    .addOption(choice('-o, --output <format>', 'output format', ['table', 'json', 'html', 'policyreport']))
    .action(async (options) => (await import('./audit.ts')).audit(options));

  command('init', 'write a commented configuration for the injectors that you choose')
    .option('--injector <name>', 'injector to include (repeatable; default: ask)', collect)
    .option('--file <file>', 'file to write, or - for standard output', 'podgraft.yaml')
    .option('--force', 'overwrite an existing file')
    .action(async (options) => (await import('./init.ts')).init(options));

  command('completion', 'print a script that completes commands and options')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .action(async (shell) => (await import('./completion.ts')).completion(program, shell));

  withCluster(command('manifests', 'print the manifests for a cluster, derived from the configuration'))
    .option('--name <name>', 'name of the Deployment, the Service and the other objects', name, 'podgraft')
    .option('--namespace <name>', 'namespace of podgraft', name, 'podgraft')
    .option('--image <image>', 'image with tag or digest (default: podgraft in this version)')
    .option('--replicas <n>', 'number of Pods', number(1, 100), 2)
    .option('--fail-closed', 'reject objects while podgraft is unreachable (failurePolicy: Fail)')
    // The range that the API allows.
    .option('--timeout-seconds <n>', 'how long the API server waits for an answer', number(1, 30), 5)
    .option('--validate', 'check the final object too (ValidatingWebhookConfiguration)')
    .option(...AUDIT_INTERVAL)
    .option(...RESTART_MISSED)
    .option(
      '--only-namespaces <names>',
      'only these namespaces, comma-separated, for a gradual roll-out',
      names,
    )
    .addOption(
      choice('--tls <mode>', 'source of the certificate', ['self-managed', 'cert-manager', 'secret']),
    )
    .addOption(new Option('--cert-manager', 'same as --tls cert-manager').conflicts('tls'))
    .option('--secret <name>', 'Secret with the certificate (default: <name>-tls)')
    .addOption(
      new Option('--url <url>', 'address of a server outside the cluster; prints only webhook configurations')
        .argParser(httpsUrl)
        .conflicts(['tls', 'certManager']),
    )
    .option('--ca-bundle <file>', 'CA certificate in PEM, with --url or --tls secret')
    .option('--crds', 'include the custom resource definitions that the injectors need')
    .option(
      '--policies',
      'print injectors that need no server as MutatingAdmissionPolicies (Kubernetes 1.36)',
    )
    .addOption(
      new Option('--chart-values', 'print values for the Helm chart instead').conflicts([
        ...['name', 'namespace', 'image', 'replicas', 'failClosed', 'timeoutSeconds', 'validate'],
        ...[
          'onlyNamespaces',
          'tls',
          'certManager',
          'secret',
          'url',
          'caBundle',
          'crds',
          'policies',
          'output',
        ],
      ]),
    )
    .addOption(choice('-o, --output <format>', 'output format', ['yaml', 'json']))
    .action(async (options) => (await import('./manifests.ts')).printManifests(options));

  command('certs', 'create a CA and a serving certificate for local work')
    .option('--dir <dir>', 'folder for ca.crt, tls.crt and tls.key', 'certs')
    .option('--ip <address>', 'IP address besides 127.0.0.1 and ::1 (repeatable)', collect, [])
    .option('--dns <name>', 'DNS name besides localhost (repeatable)', collect, [])
    .option('--days <n>', 'validity in days', number(1, 3650), 30)
    .option('--force', 'overwrite existing files')
    .action(async (options) => (await import('./certs.ts')).certs(options));

  command('lint', 'check webhook configurations and what is around them against good practices')
    .argument('[path...]', 'files, folders, or - for standard input')
    .option('--context <name>', 'check a cluster instead: context of the kubeconfig')
    .option('--kubeconfig <file>', 'kubeconfig, if not the default one')
    .addOption(choice('-o, --output <format>', 'output format', ['table', 'json', 'sarif', 'github', 'html']))
    .addOption(
      choice('--fail-on <severity>', 'lowest severity that fails the command', ['warning', 'error'], 'error'),
    )
    .option('--connect', 'connect to webhooks that have a URL, and check the certificates that they present')
    .option('--fix', 'apply safe fixes to the files and show the diff')
    .option('--explain <rule>', 'print the documentation of a rule')
    .action(async (paths, options) => (await import('./lint.ts')).lint(paths, options));

  withObjects(
    command('verify', 'call webhooks with many objects, and check that they behave, alone and together'),
  )
    .argument('[path...]', 'files or folders with webhook configurations, or - for standard input')
    .option('-f, --filename <path>', 'your own objects to send as well (repeatable)', collect)
    .option('--no-corpus', 'send only the objects given with -f')
    .option(
      '--url <name=url>',
      'address of one webhook, or of all webhooks of a configuration (repeatable)',
      collect,
      [],
    )
    .option('--insecure', 'do not verify the certificates of servers')
    .option('--context <name>', 'call the webhooks of a cluster: context of the kubeconfig')
    .option('--kubeconfig <file>', 'kubeconfig, if not the default one')
    .option('--check <id>', 'only this check (repeatable)', collect, [])
    .option('--seed <n>', 'decides which orders of more than five webhooks are tried', number(0, 2 ** 31), 1)
    .addOption(choice('-o, --output <format>', 'output format', ['table', 'json', 'junit', 'html']))
    .action(async (paths, options) => (await import('./verify.ts')).verify(paths, options));

  command('loops', 'find webhooks and controllers that undo each other, in audit logs')
    .argument('[path...]', 'audit logs, also gzip, or - for standard input')
    .addOption(choice('-o, --output <format>', 'output format', ['table', 'json']))
    .option('--min-returns <n>', 'how often a field must return to an earlier value', number(1, 1_000_000), 3)
    .option('--follow', 'keep reading as the log grows, and print loops when they are found')
    .option('--policy', 'print the audit policy to use')
    .action(async (paths, options) => (await import('./loops.ts')).loops(paths, options));

  return program;
}

/** Omits the default of an empty list, which is obvious. */
function describeOption(option: Option): string {
  return new Help().optionDescription(option).replace(' (default: [])', '');
}

function withConfig(command: Command): Command {
  return command.option('--config <file>', 'configuration file', 'podgraft.yaml');
}

function withCluster(command: Command): Command {
  return withObjects(withConfig(command));
}

const FILENAME = [
  '-f, --filename <path>',
  'file, folder, or - for standard input (repeatable)',
  collect,
] as const;

function withInput(command: Command): Command {
  return withObjects(command)
    .option(
      '--config <file>',
      'configuration file (default: podgraft.yaml, or the one in force with --context)',
    )
    .option('-n, --namespace <name>', 'namespace of objects that do not state one', 'default')
    .addOption(choice('--operation <operation>', 'operation of the request', ['CREATE', 'UPDATE']))
    .option('--user <name>', 'user of the request', 'kubernetes-admin')
    .option('--kubeconfig <file>', 'read configuration and objects of this cluster')
    .option('--context <name>', 'context of the kubeconfig')
    .option('--webhook <name>', 'webhook configuration of the configuration in force', 'podgraft');
}

function withObjects(command: Command): Command {
  return command.option(
    '--cluster <path>',
    'file or folder with other objects of the cluster (repeatable)',
    collect,
    [],
  );
}

const AUDIT_INTERVAL = [
  '--audit-interval <time>',
  'audit running Pods this often, such as 15m; one replica does (default: never)',
  duration,
] as const;
const RESTART_MISSED = [
  '--restart-missed',
  'with --audit-interval: restart workloads whose Pods lack injections',
] as const;

/** An option with a fixed set of values. */
