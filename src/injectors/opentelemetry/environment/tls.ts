import { isObjectName } from '../../../sdk/index.ts';
import { quoted } from '../message.ts';
import { labelFrom } from '../object-name.ts';
import type { ContainerPlan, PodPlan } from '../plan/pod-plan.ts';
import type { InstrumentationSpec } from '../resources/instrumentation.ts';

type Tls = NonNullable<InstrumentationSpec['exporter']['tls']>;

/** Configures the exporter's certificates, from a Secret and a ConfigMap in the Pod's namespace. */
export function addTls(tls: Tls, { env, mount }: ContainerPlan, plan: PodPlan): void {
  const { secretName, configMapName } = tls;
  const secretPath = secretName && secretFolder(secretName);
  const configMapPath = configMapName && configMapFolder(configMapName);
  const addFile = (name: string, path: string | undefined, folder: string | undefined) => {
    if (path) env.add({ name, value: path.startsWith('/') || !folder ? path : `${folder}/${path}` });
  };
  addFile('OTEL_EXPORTER_OTLP_CERTIFICATE', tls.ca_file, configMapPath || secretPath);
  addFile('OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE', tls.cert_file, secretPath);
  addFile('OTEL_EXPORTER_OTLP_CLIENT_KEY', tls.key_file, secretPath);
  for (const added of tlsMounts(tls)) {
    plan.volume(added.volume);
    mount(added.mount);
  }
}

/** Why the Secret or ConfigMap cannot exist. Its volume would make the Pod invalid. */
export function tlsProblem({ secretName, configMapName }: Tls = {}): string | undefined {
  for (const [field, name] of Object.entries({ secretName, configMapName })) {
    if (name && !isObjectName(name))
      return `the Instrumentation sets tls.${field} to ${quoted(name)}, expected the name of an object`;
  }
  return undefined;
}

/** The volumes and mounts of the certificates. */
export function tlsMounts({ secretName, configMapName }: Tls) {
  const mounts = [];
  // Optional, because a missing certificate must not keep the application from starting.
  if (secretName) {
    const name = labelFrom(`otel-auto-secret-${secretName}`);
    const volume = { name, secret: { secretName, optional: true } };
    mounts.push({ volume, mount: { name, mountPath: secretFolder(secretName), readOnly: true } });
  }
  if (configMapName) {
    const name = labelFrom(`otel-auto-configmap-${configMapName}`);
    const volume = { name, configMap: { name: configMapName, optional: true } };
    mounts.push({ volume, mount: { name, mountPath: configMapFolder(configMapName), readOnly: true } });
  }
  return mounts;
}

function secretFolder(name: string): string {
  return `/otel-auto-instrumentation-secret-${name}`;
}

function configMapFolder(name: string): string {
  return `/otel-auto-instrumentation-configmap-${name}`;
}
