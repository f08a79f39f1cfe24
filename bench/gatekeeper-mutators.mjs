// Prints mutators for the rows of the gatekeeper injector: `gatekeeper-mutators.mjs APPLIED [OTHERS]`. The others are for kinds
// without reviews.
const [applied = 10, others = 0] = process.argv.slice(2).map(Number);

const kinds = [
  (name, index) => assign(name, `spec.containers[name: *].env[name: REGION_${index}].value`, 'eu-west-1'),
  (name, index) => metadata(name, `metadata.labels."example.com/label-${index}"`),
  (name, index) =>
    set(name, 'spec.containers[name: *].securityContext.capabilities.drop', `CAPABILITY_${index}`),
  (name, index) => metadata(name, `metadata.annotations."example.com/note-${index}"`),
  (name, index) => assign(name, `spec.nodeSelector."example.com/pool-${index}"`, 'default'),
];

for (let index = 0; index < applied; index++) print(kinds[index % kinds.length](`applied-${index}`, index));
for (let index = 0; index < others; index++)
  print(assign(`other-${index}`, 'spec.size', 1, 'example.com', `Kind${index}`));

function print(object) {
  console.log(`---\n${JSON.stringify(object)}`);
}

function resource(kind, name, spec) {
  return { apiVersion: 'mutations.gatekeeper.sh/v1', kind, metadata: { name }, spec };
}

function assign(name, location, value, group = '', kind = 'Pod') {
  const applyTo = [{ groups: [group], versions: ['v1'], kinds: [kind] }];
  const match = { excludedNamespaces: ['kube-*'] };
  return resource('Assign', name, { applyTo, match, location, parameters: { assign: { value } } });
}

function set(name, location, value) {
  const applyTo = [{ groups: [''], versions: ['v1'], kinds: ['Pod'] }];
  return resource('ModifySet', name, { applyTo, location, parameters: { values: { fromList: [value] } } });
}

function metadata(name, location) {
  const match = { scope: 'Namespaced', kinds: [{ apiGroups: ['*'], kinds: ['Pod'] }] };
  return resource('AssignMetadata', name, { match, location, parameters: { assign: { value: 'yes' } } });
}
