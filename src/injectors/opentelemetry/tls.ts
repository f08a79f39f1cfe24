import type { ContainerPlan } from './container-plan.ts';
import type { InstrumentationSpec } from './instrumentation.ts';
import type { PodPlan } from './pod-plan.ts';

type Tls = NonNullable<InstrumentationSpec['exporter']['tls']>;

/** The exporter's certificates, from a Secret and a ConfigMap in the Pod's namespace. */
export function addTls(tls: Tls, { env, mount }: ContainerPlan, plan: PodPlan): void {
  const { secretName, configMapName } = tls;
  const secretPath = secretName && `/otel-auto-instrumentation-secret-${secretName}`;
  const configMapPath = configMapName && `/otel-auto-instrumentation-configmap-${configMapName}`;
  const file = (name: string, path: string | undefined, folder: string | undefined) => {
    if (!path) return;
    env.add({ name, value: path.startsWith('/') || !folder ? path : `${folder}/${path}` });
  };
  file('OTEL_EXPORTER_OTLP_CERTIFICATE', tls.ca_file, configMapPath || secretPath);
  file('OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE', tls.cert_file, secretPath);
  file('OTEL_EXPORTER_OTLP_CLIENT_KEY', tls.key_file, secretPath);
  // Optional: that telemetry cannot be sent is no reason for the application not to start.
  if (secretPath) {
    const name = volumeName(`otel-auto-secret-${secretName}`);
    plan.volume({ name, secret: { secretName, optional: true } });
    mount({ name, mountPath: secretPath, readOnly: true });
  }
  if (configMapPath) {
    const name = volumeName(`otel-auto-configmap-${configMapName}`);
    plan.volume({ name, configMap: { name: configMapName, optional: true } });
    mount({ name, mountPath: configMapPath, readOnly: true });
  }
}

/** A DNS label: at most 63 characters, letters and digits at the end, no dots, which a Secret's name may have. */
export function volumeName(text: string): string {
  return text.replaceAll('.', '-').slice(0, 63).replace(/-+$/, '');
}
