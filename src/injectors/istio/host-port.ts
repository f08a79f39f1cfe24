import { isIpv4, isIpv6 } from './cidr.ts';

/** `name:port`, `10.0.0.1:port` or `[::1]:port`. */
export function isHostPort(text: string): boolean {
  const match = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d{1,5})$/.exec(text);
  if (match === null) return false;
  const [, bracketed, plain, port] = match;
  if (Number(port) < 1 || Number(port) > 65535) return false;
  const host = bracketed ?? plain ?? '';
  return isIpv4(host) || isIpv6(host) || isHostName(host);
}

const LABEL = /^[A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?$/;

/** A DNS name, which may end in a dot. Its last label is no number, or it would be taken for an address. */
function isHostName(text: string): boolean {
  const labels = text.replace(/\.$/, '').split('.');
  return (
    text.length <= 255 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
  );
}
