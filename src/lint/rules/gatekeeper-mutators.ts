// Not a member of Injector: rules are synchronous and have documentation and cases of their own, and injectors are loaded on demand.
import { lintMutators, type MutatorFinding } from '../../injectors/gatekeeper/lint-mutators.ts';
import { goodPractice, type Rule, type Severity } from '../rule.ts';

const KINDS = ['Assign', 'AssignMetadata', 'AssignImage', 'ModifySet'];
const SEVERITIES: { readonly [rule in MutatorFinding['rule']]: Severity } = {
  invalid: 'error',
  conflict: 'error',
  'never-applies': 'warning',
  'empty-match': 'warning',
};

export const gatekeeperMutators: Rule = {
  id: 'gatekeeper-mutators',
  category: 'correctness',
  severity: 'error',
  title: 'A mutator of Gatekeeper is invalid, matches everything or nothing, or contradicts another',
  why: `Gatekeeper runs all of its mutators until none of them changes anything. One without \`match\` changes every object of its kinds, those of
\`kube-system\` included; one whose lists contradict each other never runs, and nobody notices; two that disagree about the type of a field
are both switched off.`,
  practice: goodPractice('webhook-limit-scope'),
  fix: 'Add a `match` with namespaces or selectors, correct the lists, and let one mutator own a field.',
  *check(inventory) {
    const sources = KINDS.flatMap((kind) => inventory.list(kind));
    for (const { rule, mutators, message } of lintMutators(sources.map(({ object }) => object))) {
      const source = sources.find(({ object }) => `${object.kind}/${object.metadata.name}` === mutators[0]);
      if (source === undefined) continue;
      const path = rule === 'never-applies' ? '/spec/match' : '/spec';
      yield { source, path, message: message.replaceAll('\n', ' '), severity: SEVERITIES[rule] };
    }
  },
  bad: [
    `apiVersion: mutations.gatekeeper.sh/v1
kind: Assign
metadata: {name: pull-always}
spec:
  applyTo: [{groups: [""], versions: [v1], kinds: [Pod]}]
  location: "spec.containers[name:*].imagePullPolicy"
  parameters: {assign: {value: Always}}
`,
    `apiVersion: mutations.gatekeeper.sh/v1
kind: Assign
metadata: {name: pull-always}
spec:
  applyTo: [{groups: [""], versions: [v1], kinds: [Pod]}]
  match: {namespaces: [shop], excludedNamespaces: [shop]}
  location: "spec.containers[name:*].imagePullPolicy"
  parameters: {assign: {value: Always}}
`,
    `apiVersion: mutations.gatekeeper.sh/v1
kind: Assign
metadata: {name: as-list}
spec:
  applyTo: [{groups: [""], versions: [v1], kinds: [Pod]}]
  match: {namespaces: [shop]}
  location: "spec.containers[name:*].imagePullPolicy"
  parameters: {assign: {value: Always}}
---
apiVersion: mutations.gatekeeper.sh/v1
kind: Assign
metadata: {name: as-map}
spec:
  applyTo: [{groups: [""], versions: [v1], kinds: [Pod]}]
  match: {namespaces: [shop]}
  location: "spec.containers.imagePullPolicy"
  parameters: {assign: {value: Always}}
`,
  ],
  good: [
    `apiVersion: mutations.gatekeeper.sh/v1
kind: Assign
metadata: {name: pull-always}
spec:
  applyTo: [{groups: [""], versions: [v1], kinds: [Pod]}]
  match: {excludedNamespaces: [kube-system]}
  location: "spec.containers[name:*].imagePullPolicy"
  parameters: {assign: {value: Always}}
`,
  ],
};
