/** An address range as Go's netip.ParsePrefix accepts it: IPv4 or IPv6 without zone, a slash, the number of bits. */
export function isCidr(text: string): boolean {
  const match = /^([0-9A-Fa-f:.]{2,45})\/(0|[1-9]\d{0,2})$/.exec(text);
  if (match === null) return false;
  const [, address = '', bits = ''] = match;
  if (isIpv4(address)) return Number(bits) <= 32;
  return isIpv6(address) && Number(bits) <= 128;
}

/** `name:port`, `10.0.0.1:port` or `[::1]:port`. */
export function isHostPort(text: string): boolean {
  const match = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d{1,5})$/.exec(text);
  if (match === null) return false;
  const [, bracketed, plain, port] = match;
  if (Number(port) < 1 || Number(port) > 65535) return false;
  const host = bracketed ?? plain ?? '';
  return isIpv4(host) || isIpv6(host) || isHostName(host);
}

function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1) ?? '';
  const isMapped = last.includes('.');
  if (isMapped && !isIpv4(last)) return false;
  const plain = isMapped ? groups.slice(0, -1) : groups;
  if (!plain.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false;
  const count = plain.length + (isMapped ? 2 : 0);
  return halves.length === 2 ? count < 8 : count === 8;
}

const LABEL = /^[A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?$/;

/** A DNS name, with or without a final dot. A numeric last label would make it an address. */
function isHostName(text: string): boolean {
  const labels = text.replace(/\.$/, '').split('.');
  return (
    text.length <= 255 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
  );
}
