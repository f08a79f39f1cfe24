import { expressionSets, withoutStrings } from '../model/expressions.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const forgottenContainers: Rule = {
  id: 'forgotten-containers',
  category: 'correctness',
  severity: 'warning',
  title: 'An expression checks containers, but not init or ephemeral containers',
  why: `A Pod has three lists of containers, and all of them run code. A policy that looks only at \`spec.containers\` lets anything
pass as an init container, a sidecar (an init container with \`restartPolicy: Always\`) or a debug container.`,
  practice: goodPractice('plan-future-field-updates'),
  fix: 'Check `object.spec.containers + object.spec.?initContainers.orValue([]) + object.spec.?ephemeralContainers.orValue([])`.',
  *check(inventory) {
    for (const { source, owner, expressions } of expressionSets(inventory)) {
      const checks = expressions.map(({ path, text, use }) => ({ path, use, code: withoutStrings(text) }));
      const looksAt = (list: RegExp) => checks.find(({ code }) => list.test(code));
      const found = looksAt(/spec\.\??containers\b/);
      if (found === undefined) continue;
      const forgotten = [
        ...(looksAt(/\binitContainers\b/) ? [] : ['initContainers']),
        ...(looksAt(/\bephemeralContainers\b/) ? [] : ['ephemeralContainers']),
      ];
      if (forgotten.length === 0) continue;
      // A mutation may be meant for the main containers alone.
      const isCheck = ['validation', 'matchCondition', 'variable'].includes(found.use);
      const isMajor =
        isCheck && forgotten.includes('initContainers') && source.object.kind !== 'MutatingAdmissionPolicy';
      yield {
        source,
        path: found.path,
        message: `${owner} looks at containers, but not at ${forgotten.join(' and ')}`,
        severity: isMajor ? 'warning' : 'info',
      };
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-privileged}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  validations:
    - expression: object.spec.containers.all(c, !c.?securityContext.?privileged.orValue(false))
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-privileged}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  variables:
    - name: containers
      expression: >-
        object.spec.containers + object.spec.?initContainers.orValue([]) + object.spec.?ephemeralContainers.orValue([])
  validations:
    - expression: variables.containers.all(c, !c.?securityContext.?privileged.orValue(false))
`,
  ],
};
