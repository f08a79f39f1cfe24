import type { X509Certificate } from 'node:crypto';
import { readCertificate, splitCertificates } from '../../certificates/read-certificate.ts';
import { isJsonObject } from '../../json/json.ts';
import { itemsOf, membersOf } from '../../kube/json-parts.ts';
import { asJson } from '../../kube/kube-object.ts';
import { type Backend, serverOf } from './backend.ts';
import type { Source } from './source.ts';
import { textOf } from './text.ts';
import type { Webhook } from './webhook.ts';
import type { World } from './world.ts';

/** The certificates of a webhook's caBundle; undefined if it is absent, empty if it has none. */
export function bundleOf({ spec }: Webhook): readonly X509Certificate[] | undefined {
  const text = textOf(membersOf(spec.clientConfig).caBundle);
  return text === '' ? undefined : certificatesIn(text);
}

function certificatesIn(base64: string): X509Certificate[] {
  return splitCertificates(Buffer.from(base64, 'base64').toString()).flatMap((pem) => {
    try {
      return readCertificate(pem);
    } catch {
      return [];
    }
  });
}

/** A serving certificate in a Secret that the webhook's Pods mount. */
export interface ServingCertificate {
  readonly secret: Source;
  readonly certificate: X509Certificate;
  /** Other certificates that the server sends with it. */
  readonly chain: readonly X509Certificate[];
}

export function servingCertificates(world: World, { service: ref }: Webhook): ServingCertificate[] {
  if (ref === undefined) return [];
  const names = mountedSecrets(serverOf(world, ref).workloads);
  return names.flatMap((name) => {
    const secret = world.find('Secret', ref.namespace, name);
    const text = secret && textOf(membersOf(asJson(secret.object).data)['tls.crt']);
    const [certificate, ...chain] = text ? certificatesIn(text) : [];
    return secret === undefined || certificate === undefined ? [] : { secret, certificate, chain };
  });
}

/** The names of the Secrets that Pods mount. */
export function mountedSecrets(workloads: Backend['workloads']): string[] {
  const volumes = workloads.flatMap(({ pod }) => itemsOf(pod.volumes).filter(isJsonObject));
  const names = volumes.flatMap(({ secret, projected }) => [
    textOf(membersOf(secret).secretName),
    ...itemsOf(membersOf(projected).sources).map((source) =>
      textOf(membersOf(membersOf(source).secret).name),
    ),
  ]);
  return [...new Set(names.filter((name) => name !== ''))];
}

/** The name by which the API server calls the Service. */
export function serverName({ service, url }: Webhook): string | undefined {
  if (service !== undefined) return `${service.name}.${service.namespace}.svc`;
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** Whether the certificate chains up to one of the bundle, regardless of dates. */
export function isTrusted(
  { certificate, chain }: ServingCertificate,
  bundle: readonly X509Certificate[],
): boolean {
  const seen = new Set<X509Certificate>();
  const visit = (current: X509Certificate): boolean => {
    if (bundle.some((ca) => ca.fingerprint256 === current.fingerprint256 || isIssuer(ca, current)))
      return true;
    seen.add(current);
    return chain.some((next) => !seen.has(next) && isIssuer(next, current) && visit(next));
  };
  return visit(certificate);
}

function isIssuer(ca: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(ca) && certificate.verify(ca.publicKey);
}
