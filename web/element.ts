export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`No element has the id "${id}"`);
  return found;
}
