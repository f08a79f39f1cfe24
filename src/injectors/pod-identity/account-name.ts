/** The longest DNS subdomain. */
const MAX_LENGTH = 253;

/** Whether a ServiceAccount can have this name: a DNS subdomain. Others must not get into the URL of a live read. */
export function isAccountName(name: unknown): name is string {
  if (typeof name !== 'string' || name.length > MAX_LENGTH) return false;
  return name.split('.').every((label) => /^[a-z0-9-]+$/.test(label) && !/^-|-$/.test(label));
}
