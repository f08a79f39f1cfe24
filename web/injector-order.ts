/** The names of the file in the user's order, which may lack new ones and have old ones. */
export function inOrder(names: readonly string[], order: readonly string[] | undefined): readonly string[] {
  if (order === undefined) return names;
  const known = order.filter((name) => names.includes(name));
  return [...known, ...names.filter((name) => !known.includes(name))];
}

/** The same list if the name is there already, or cannot be. */
export function moved(names: readonly string[], name: string, to: number): readonly string[] {
  const from = names.indexOf(name);
  if (from < 0 || from === to || to < 0 || to >= names.length) return names;
  return names.toSpliced(from, 1).toSpliced(to, 0, name);
}
