import { isObjectName, quoted } from '../../../sdk/index.ts';
import { labelFrom } from '../object-name.ts';
import type { Env } from '../plan/env-plan.ts';
import type { InstrumentationSpec } from '../resources/instrumentation.ts';

type Tls = NonNullable<InstrumentationSpec['exporter']['tls']>;

/** The exporter's certificates, from a Secret and a ConfigMap in the Pod's namespace. */
export function tlsEnv(tls: Tls): readonly Env[] {
  const { secretName, configMapName } = tls;
  const secretPath = secretName && secretFolder(secretName);
  const configMapPath = configMapName && configMapFolder(configMapName);
  return [
    ...fileEnv('OTEL_EXPORTER_OTLP_CERTIFICATE', tls.ca_file, configMapPath || secretPath),
    ...fileEnv('OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE', tls.cert_file, secretPath),
    ...fileEnv('OTEL_EXPORTER_OTLP_CLIENT_KEY', tls.key_file, secretPath),
  ];
}

function fileEnv(name: string, path: string | undefined, folder: string | undefined): readonly Env[] {
  if (!path) return [];
  return [{ name, value: path.startsWith('/') || !folder ? path : `${folder}/${path}` }];
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
