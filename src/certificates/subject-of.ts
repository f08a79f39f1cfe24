import type { X509Certificate } from 'node:crypto';

/** A certificate's subject as it is encoded: node:crypto shows it as text only. */
export function subjectOf(certificate: X509Certificate): Buffer {
  const [toBeSigned = EMPTY] = elements(content(certificate.raw));
  const fields = elements(content(toBeSigned));
  // The version, `[0]`, is optional; then serialNumber, signature, issuer, validity, subject (RFC 5280 §4.1).
  return fields[fields[0]?.[0] === 0xa0 ? 5 : 4] ?? EMPTY;
}

const EMPTY = Buffer.alloc(0);

function elements(bytes: Buffer): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const { start, size } = header(rest);
    found.push(rest.subarray(0, start + size));
    rest = rest.subarray(start + size);
  }
  return found;
}

function content(element: Buffer): Buffer {
  const { start, size } = header(element);
  return element.subarray(start, start + size);
}

/** Where an element's content starts, and its size. OpenSSL has accepted the certificate, so the bytes are well formed. */
function header(element: Buffer): { start: number; size: number } {
  const first = element[1] ?? 0;
  if (first < 0x80) return { start: 2, size: first };
  const count = first & 0x7f;
  return { start: 2 + count, size: element.readUIntBE(2, count) };
}
