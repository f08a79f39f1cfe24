/** An address range as Go's netip.ParsePrefix takes it: IPv4 or IPv6 without zone, a slash, the number of bits. */
export function isCidr(text: string): boolean {
  const match = /^([0-9A-Fa-f:.]{2,45})\/(0|[1-9]\d{0,2})$/.exec(text);
  if (match === null) return false;
  const [, address = '', bits = ''] = match;
  if (isIpv4(address)) return Number(bits) <= 32;
  return isIpv6(address) && Number(bits) <= 128;
}

export function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

export function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1) ?? '';
  const mapped = last.includes('.');
  if (mapped && !isIpv4(last)) return false;
  const plain = mapped ? groups.slice(0, -1) : groups;
  if (!plain.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false;
  const count = plain.length + (mapped ? 2 : 0);
  return halves.length === 2 ? count < 8 : count === 8;
}
