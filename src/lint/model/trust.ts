import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { readCertificate, splitCertificates } from '../../certificates/read-certificate.ts';
import { isJsonObject } from '../../json/json.ts';
import type { Pointer } from '../../json/pointer.ts';
import { itemsOf, membersOf } from '../../kube/json-parts.ts';
import { asJson } from '../../kube/kube-object.ts';
import { type Backend, serverOf } from './backend.ts';
import type { Inventory } from './inventory.ts';
import { type Source, titleOf } from './source.ts';
import { textOf } from './text.ts';
import type { ServiceRef, Webhook } from './webhook.ts';

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

/** A certificate that the server of a webhook presents, or that is in a Secret which its Pods mount. */
export interface ServingCertificate {
  readonly isPresented: boolean;
  /** `Secret "shop/tls"` or the URL, to begin a message. */
  readonly title: string;
  /** Where to report it. */
  readonly source: Source;
  readonly path: Pointer;
  readonly certificate: X509Certificate;
  /** Other certificates that the server sends with it. */
  readonly chain: readonly X509Certificate[];
}

export function servingCertificates(inventory: Inventory, webhook: Webhook): ServingCertificate[] {
  const { service, url } = webhook;
  if (service !== undefined) return mountedCertificates(inventory, service);
  return url === undefined ? [] : presentedCertificate(inventory, webhook, url);
}

function presentedCertificate(
  inventory: Inventory,
  { source, path }: Webhook,
  url: string,
): ServingCertificate[] {
  const [certificate, ...chain] = inventory.presentedAt(url) ?? [];
  if (certificate === undefined) return [];
  const place = { source, path: `${path}/clientConfig/url` };
  return [{ isPresented: true, title: url, ...place, certificate, chain }];
}

function mountedCertificates(inventory: Inventory, ref: ServiceRef): ServingCertificate[] {
  const names = mountedSecrets(serverOf(inventory, ref).workloads);
  return names.flatMap((name) => {
    const secret = inventory.find('Secret', ref.namespace, name);
    const text = secret && textOf(membersOf(asJson(secret.object).data)['tls.crt']);
    const [certificate, ...chain] = text ? certificatesIn(text) : [];
    if (secret === undefined || certificate === undefined) return [];
    const place = { title: titleOf(secret), source: secret, path: '/data/tls.crt' };
    return { isPresented: false, ...place, certificate, chain };
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

/** The name, or the address, by which the API server calls the server. */
export function serverName({ service, url }: Webhook): string | undefined {
  if (service !== undefined) return `${service.name}.${service.namespace}.svc`;
  return url !== undefined && URL.canParse(url) ? hostOf(url) : undefined;
}

/** The host of a URL; an IPv6 address without its brackets. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

/** Whether a certificate is for a name or an address. The common name does not count. */
export function isFor(certificate: X509Certificate, name: string): boolean {
  if (isIP(name) !== 0) return certificate.checkIP(name) !== undefined;
  return certificate.checkHost(name, { subject: 'never' }) !== undefined;
}

/** The CAs that are generally trusted. */
export function publicCas(): X509Certificate[] {
  return rootCertificates.map((pem) => new X509Certificate(pem));
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
