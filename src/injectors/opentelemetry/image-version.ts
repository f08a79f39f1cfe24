/** `tag`, `tag@digest` or `digest` of an image; undefined where it has none. */
export function imageVersion(image: string): string | undefined {
  const at = image.indexOf('@');
  const name = at < 0 ? image : image.slice(0, at);
  const digest = at < 0 ? '' : image.slice(at + 1);
  // A colon before the last slash belongs to the registry's port.
  const colon = name.indexOf(':', name.lastIndexOf('/') + 1);
  const tag = colon < 0 ? '' : name.slice(colon + 1);
  return [tag, digest].filter((part) => part !== '').join('@') || undefined;
}
