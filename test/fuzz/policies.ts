import type { Json, JsonObject } from '../../src/json/json.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';

const PODS = [{ groups: [''], versions: ['v1'], kinds: ['Pod'] }];

function mutator(kind: string, name: string, location: string, parameters: JsonObject): KubeObject {
  const version = kind === 'AssignImage' ? 'v1alpha1' : 'v1';
  const spec = { ...(kind !== 'AssignMetadata' && { applyTo: PODS }), location, parameters };
  return {
    apiVersion: `mutations.gatekeeper.sh/${version}`,
    kind,
    metadata: { name },
    spec,
  } as unknown as KubeObject;
}

const assign = (name: string, location: string, value: Json, pathTests: readonly JsonObject[] = []) =>
  mutator('Assign', name, location, { assign: { value }, ...(pathTests.length > 0 && { pathTests }) });

/** Mutators that reach every list of a Pod, and fields that users may have given another type. */
export const MUTATORS: readonly KubeObject[] = [
  mutator('AssignMetadata', 'owner', 'metadata.labels.owner', { assign: { value: 'platform' } }),
  mutator('AssignMetadata', 'place', 'metadata.annotations.place', {
    assign: { fromMetadata: { field: 'namespace' } },
  }),
  assign('no-privileges', 'spec.containers[name: *].securityContext.privileged', false),
  assign('pull', 'spec.initContainers[name: *].imagePullPolicy', 'Always'),
  assign('dns', 'spec.dnsConfig.options[name: ndots]', { name: 'ndots', value: '2' }),
  assign('logs', 'spec.containers[name: logs]', { name: 'logs', image: 'logs:1' }, [
    { subPath: 'spec.containers', condition: 'MustExist' },
    { subPath: 'spec.containers[name: logs]', condition: 'MustNotExist' },
  ]),
  assign('mount', 'spec.containers[name: web].volumeMounts[mountPath: "/srv/a"].readOnly', true, [
    { subPath: 'spec.containers[name: web].volumeMounts[mountPath: "/srv/a"]', condition: 'MustExist' },
  ]),
  mutator('ModifySet', 'quiet', 'spec.containers[name: web].args', { values: { fromList: ['--quiet'] } }),
  mutator('ModifySet', 'no-such-words', 'spec.containers[name: *].command', {
    operation: 'prune',
    values: { fromList: ['true', 'false', 'null', 'NaN', '..', '/', null] },
  }),
  mutator('AssignImage', 'mirror', 'spec.containers[name: web].image', {
    assignDomain: 'mirror.example.com',
  }),
];

const WIDGETS = [{ groups: ['example.com'], versions: ['v1'], kinds: ['Widget'] }];
const widget = (kind: string, name: string, location: string, parameters: JsonObject): KubeObject => {
  const made = mutator(kind, name, location, parameters);
  return { ...made, spec: { ...(made as unknown as { spec: object }).spec, applyTo: WIDGETS } } as KubeObject;
};

/** Mutators that walk through custom resources. There is no such provider. */
export const WIDGET_MUTATORS: readonly KubeObject[] = [
  widget('ModifySet', 'set', 'spec.set', { values: { fromList: ['y'] } }),
  widget('Assign', 'data', 'spec.data', {
    assign: {
      externalData: {
        provider: 'none',
        dataSource: 'Username',
        failurePolicy: 'UseDefault',
        default: 'x',
      },
    },
  }),
];

/** Copies what is deep. */
export const WIDGET_EXPRESSIONS = {
  unknownFields: 'warn',
  overlay: { copies: [{ $cel: 'object.spec' }, { $cel: 'object.?status.orValue(1)' }] },
};

interface Mutation {
  readonly conditions?: readonly string[];
  readonly apply?: string;
  readonly patch?: string;
}

function policy(
  name: string,
  failurePolicy: string,
  mutation: Mutation,
  ...groups: readonly string[]
): readonly KubeObject[] {
  const { conditions = [], apply, patch } = mutation;
  const spec = {
    failurePolicy,
    reinvocationPolicy: 'IfNeeded',
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: groups.length > 0 ? groups : ['', 'apps', 'batch'],
          apiVersions: ['*'],
          operations: ['CREATE', 'UPDATE'],
          resources: ['*'],
        },
      ],
    },
    matchConditions: conditions.map((expression, at) => ({ name: `c${at}`, expression })),
    variables:
      groups.length > 0 ? [] : [{ name: 'place', expression: "namespaceObject.metadata.?name.orValue('')" }],
    mutations: [
      ...(apply === undefined
        ? []
        : [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: apply } }]),
      ...(patch === undefined ? [] : [{ patchType: 'JSONPatch', jsonPatch: { expression: patch } }]),
    ],
  };
  const apiVersion = 'admissionregistration.k8s.io/v1';
  return [
    { apiVersion, kind: 'MutatingAdmissionPolicy', metadata: { name }, spec },
    {
      apiVersion,
      kind: 'MutatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name },
    },
  ] as unknown as KubeObject[];
}

function validation(name: string, spec: object): readonly KubeObject[] {
  const resourceRules = [
    { apiGroups: ['', 'apps', 'batch'], apiVersions: ['*'], operations: ['CREATE'], resources: ['*'] },
  ];
  const apiVersion = 'admissionregistration.k8s.io/v1';
  return [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: { failurePolicy: 'Ignore', matchConstraints: { resourceRules }, ...spec },
    },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      // Denials would violate the law that the final check accepts what was injected.
      spec: { policyName: name, validationActions: ['Warn', 'Audit'] },
    },
  ] as unknown as KubeObject[];
}

/** For custom resources: the parts that are deep are written in both ways. */
export const WIDGET_POLICIES: readonly KubeObject[] = [
  ...policy('widgets-apply', 'Fail', { apply: "Object{spec: Object.spec{seen: 'yes'}}" }, 'example.com'),
  ...policy(
    'widgets-patch',
    'Fail',
    { patch: "[JSONPatch{op: 'add', path: '/spec/copied', value: object.spec.set}]" },
    'example.com',
  ),
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      names: { kind: 'Widget', plural: 'widgets' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  properties: { seen: { type: 'string' } },
                  'x-kubernetes-preserve-unknown-fields': true,
                },
              },
              'x-kubernetes-preserve-unknown-fields': true,
            },
          },
        },
      ],
    },
  } as unknown as KubeObject,
];

/** Policies that read much of a Pod, and settle. Some fail for objects that lack what they read. */
export const POLICIES: readonly KubeObject[] = [
  ...policy('labels', 'Fail', {
    apply: "Object{metadata: Object.metadata{labels: {'place': variables.place}}}",
  }),
  ...policy('environment', 'Ignore', {
    conditions: ["object.kind == 'Pod'"],
    apply: `Object{spec: Object.spec{containers: object.spec.containers.map(c, Object.spec.containers{name: c.name,
      env: [Object.spec.containers.env{name: 'IMAGE', value: c.?image.orValue('none')}]})}}`,
  }),
  ...policy('deadline', 'Fail', {
    conditions: ["object.kind == 'Pod' && has(object.spec.containers) && object.spec.containers.size() > 0"],
    patch: `has(object.spec.activeDeadlineSeconds) ? [] : [
      JSONPatch{op: 'replace', path: '/spec/containers', value: object.spec.containers},
      JSONPatch{op: 'add', path: '/spec/activeDeadlineSeconds', value: 3600}]`,
  }),
  ...policy('tolerations', 'Ignore', {
    conditions: ["object.kind == 'Pod'"],
    patch: `object.spec.?tolerations.orValue([]).exists(t, t.?key.orValue('') == 'team') ? []
      : [JSONPatch{op: 'add', path: '/spec/tolerations', value: object.spec.?tolerations.orValue([]) +
          [{'key': 'team', 'operator': 'Exists'}]}]`,
  }),
  ...policy('annotations', 'Ignore', {
    patch: `has(object.metadata.annotations) ? object.metadata.annotations.map(k, k)
      .filter(k, k.startsWith('filebeat.')).map(k, JSONPatch{op: 'add',
        path: '/metadata/annotations/' + jsonpatch.escapeKey('seen-' + k), value: 'yes'}) : []`,
  }),
  ...validation('images', {
    matchConditions: [{ name: 'pods', expression: "object.kind == 'Pod'" }],
    variables: [
      {
        name: 'untagged',
        expression: "object.spec.containers.filter(c, !c.image.contains(':')).map(c, c.name)",
      },
    ],
    validations: [
      {
        expression: 'variables.untagged.size() == 0',
        messageExpression: "'no tag: ' + variables.untagged.join(', ')",
      },
    ],
    auditAnnotations: [{ key: 'untagged', valueExpression: 'string(variables.untagged.size())' }],
  }),
];

/** An overlay whose values and conditions are expressions. */
export const EXPRESSIONS = {
  variables: { team: "object.metadata.?labels['team'].orValue('none')" },
  overlay: {
    metadata: { labels: { group: { $cel: 'variables.team' } } },
    spec: {
      imagePullSecrets: [
        {
          $when:
            "object.spec.?containers.orValue([]).exists(c, c.?image.orValue('').startsWith('registry.example/'))",
          name: 'regcred',
        },
      ],
      containers: [
        {
          name: '*',
          $when: "item.?image.orValue('').contains('/')",
          env: [{ name: 'IMAGE_OF', value: { $cel: "item.image + '@' + variables.team" } }],
        },
      ],
      volumes: [
        { name: '*', $when: "item.?name.orValue('').startsWith('a')", emptyDir: { sizeLimit: '1Gi' } },
      ],
    },
  },
};
