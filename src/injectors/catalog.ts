import type { AnyInjector } from '../sdk/injector.ts';

/** The built-in injectors. The only list of them. Each is loaded on demand, so that a server loads only those it runs. */
const CATALOG: Readonly<Record<string, () => Promise<AnyInjector>>> = {
  'admission-policy': async () => (await import('./admission-policy/admission-policy.ts')).admissionPolicy,
  filebeat: async () => (await import('./filebeat/filebeat.ts')).filebeat,
  gatekeeper: async () => (await import('./gatekeeper/gatekeeper.ts')).gatekeeper,
  istio: async () => (await import('./istio/istio.ts')).istio,
  metadata: async () => (await import('./metadata/metadata.ts')).metadata,
  opentelemetry: async () => (await import('./opentelemetry/opentelemetry.ts')).opentelemetry,
  overlay: async () => (await import('./overlay/overlay.ts')).overlay,
  'pod-identity': async () => (await import('./pod-identity/pod-identity.ts')).podIdentity,
};

/** What `use:` may name. */
export const builtinNames: readonly string[] = Object.keys(CATALOG);

/** Undefined if no built-in injector has the name. */
export async function loadBuiltin(name: string): Promise<AnyInjector | undefined> {
  return Object.hasOwn(CATALOG, name) ? CATALOG[name]?.() : undefined;
}

/** All of them, for listing or checking them. */
export function loadCatalog(): Promise<readonly AnyInjector[]> {
  return Promise.all(Object.values(CATALOG).map((load) => load()));
}
