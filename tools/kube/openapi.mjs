import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Reads schemas and discovery from a folder, or from a live server by its URL (`kubectl proxy` will do). */
export async function readOpenApi(source) {
  const read = /^https?:/.test(source) ? fromServer(source) : fromFolder(source);
  const discovery = [...(await read.discovery('api')).items, ...(await read.discovery('apis')).items];
  const schemas = {};
  for (const { metadata, versions } of discovery) {
    for (const { version } of versions) {
      const path = metadata.name ? `apis/${metadata.name}/${version}` : `api/${version}`;
      Object.assign(schemas, (await read.schemas(path))?.components.schemas);
    }
  }
  return { schemas, discovery };
}

function fromFolder(folder) {
  const json = async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'));
  return {
    // A folder need not contain all groups: kinds of missing groups are unknown.
    async schemas(group) {
      const name = `${group.replaceAll('/', '_')}.json`;
      return existsSync(join(folder, name)) ? json(name) : undefined;
    },
    discovery: (root) => json(`discovery-${root}.json`),
  };
}

function fromServer(url) {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const json = async (path, headers) => {
    const response = await fetch(new URL(path, url), { headers });
    if (!response.ok) throw new Error(`Cannot read ${path}: ${response.status}`);
    return response.json();
  };
  return {
    schemas: (group) => json(`/openapi/v3/${group}`, {}),
    discovery: (root) => json(`/${root}`, { accept }),
  };
}

/** `#/components/schemas/io.k8s.api.core.v1.Pod` → `io.k8s.api.core.v1.Pod`, through `allOf` too. */
export function reference(schema) {
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
  return ref?.slice('#/components/schemas/'.length);
}

export function shortName(definition) {
  return definition.slice(definition.lastIndexOf('.') + 1);
}
