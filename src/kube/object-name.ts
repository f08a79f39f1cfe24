/** Whether an object of the API can have this name: a DNS subdomain, which most kinds require. Linear in the length of the name. */
export function isObjectName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= 253 && SUBDOMAIN.test(name);
}

const SUBDOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
