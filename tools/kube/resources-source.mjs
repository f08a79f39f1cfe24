/** The kinds that a server without extensions serves: what `kinds: [Deployment]` in a configuration stands for. */
export function resourcesSource(discovery) {
  const rows = new Map();
  for (const group of discovery) {
    for (const version of group.versions) {
      for (const resource of version.resources) {
        const kind = resource.responseKind.kind;
        const key = `${kind}.${group.metadata.name ?? ''}`;
        // Discovery lists the preferred version first.
        if (rows.has(key)) continue;
        const row = [
          kind,
          group.metadata.name ?? '',
          version.version,
          resource.resource,
          resource.scope === 'Namespaced',
        ];
        rows.set(key, `  ${JSON.stringify(row).replaceAll('"', "'").replaceAll(',', ', ')},`);
      }
    }
  }
  return [
    '/** Kind, group, preferred version, plural, namespaced. */',
    'export const resourceRows: readonly (readonly [string, string, string, string, boolean])[] = [',
    ...rows.values(),
    '];\n',
  ].join('\n');
}
