import { describe, expect, it } from 'vitest';
import { authorizerBindings } from './authorizer.ts';
import { compile } from './compile.ts';
import { CelCompileError } from './compile-error.ts';
import { kubernetesEnvironment, variableType } from './kubernetes-environment.ts';
import { bindingsWith } from './lazy-variables.ts';
import type { Program } from './program.ts';
import { BOOL, DYN, INT, listOf, mapOf, STRING, struct, type Type } from './types.ts';

const environment = kubernetesEnvironment();
const request = { name: 'web', operation: 'CREATE', userInfo: { groups: ['a'] }, kind: { kind: 'Pod' } };

describe('kubernetesEnvironment', () => {
  it('has the variables of admission', () => {
    const condition =
      "request.operation == 'CREATE' && 'a' in request.userInfo.groups && request.kind.kind == object.kind";
    const program = compile(condition, environment, { resultType: BOOL });
    expect(program.evaluate({ object: { kind: 'Pod' }, request })).toBe(true);
  });

  it.each([
    ['request.uid', "undefined field 'uid'"],
    ['namespaceObject.metadata.uid', "undefined field 'uid'"],
    ['params.a', "undeclared reference to 'params'"],
    ['variables.a', "undeclared reference to 'variables'"],
    ["authorizer.path('/')", "undeclared reference to 'authorizer'"],
    ['Object{}', "undeclared reference to 'Object'"],
    ["jsonpatch.escapeKey('a')", "undeclared reference to 'jsonpatch'"],
  ])('refuses %s: %s', (expression, message) => {
    expect(() => compile(expression, environment)).toThrow(message);
  });

  it('treats empty strings of a request as absent keys, as the API server does', () => {
    expect(() => compile("request.subResource == ''", environment).evaluate({ request })).toThrow(
      'no such key: subResource',
    );
  });

  it('checks against the type of a schema', () => {
    const fields: Readonly<Record<string, Readonly<Record<string, Type>>>> = {
      Pod: { metadata: struct('Meta'), spec: struct('PodSpec') },
      Meta: { labels: mapOf(STRING, STRING) },
      PodSpec: { replicas: INT, containers: listOf(struct('Container')) },
      Container: { image: STRING },
    };
    const typed = kubernetesEnvironment({
      types: { object: struct('Pod') },
      findStruct: (name) => {
        const known = fields[name];
        return known && { field: (field) => known[field] };
      },
    });
    const object = { spec: { containers: [{ image: 'nginx' }] } };
    expect(compile("object.spec.containers.all(c, c.image != '')", typed).evaluate({ object })).toBe(true);
    expect(() => compile('object.spec.replicaz', typed)).toThrow("1:12: undefined field 'replicaz'");
    expect(() => compile('object.spec.containers[0].image > 1', typed)).toThrow('no matching overload');
    expect(() => compile('object.spec', typed).evaluate({ object: {} })).toThrow('no such key: spec');
  });
});

describe('LazyVariables', () => {
  it('evaluates a variable once, when it is used', () => {
    const { programs, types } = variables({ a: 'object.n + 1', b: 'variables.a * 10', unused: '1 / 0' });
    const budget = { remaining: 1000 };
    const bindings = { object: { n: 4 } };
    const all = bindingsWith(programs, bindings, budget);
    const program = compile(
      'variables.b + variables.b + variables.a',
      kubernetesEnvironment({ variables: types }),
    );
    expect(program.evaluate(all, budget)).toBe(105);
    // The variables cost 3 each, and each use of one 2.
    expect(1000 - budget.remaining).toBe(3 + 3 + 8);
  });

  it('fails where a variable is used that fails', () => {
    const { programs, types } = variables({ a: '1 / object', bad: 'nope' });
    const all = bindingsWith(programs, { object: 0 });
    const evaluate = (expression: string) =>
      compile(expression, kubernetesEnvironment({ variables: types })).evaluate(all);
    expect(() => evaluate('variables.a')).toThrow(
      'composited variable "a" fails to evaluate: division by zero',
    );
    expect(() => evaluate('variables.bad')).toThrow(
      'composited variable "bad" fails to compile: compilation failed',
    );
    expect(evaluate('variables.a == 1 || true')).toBe(true);
  });

  it('has the types of its expressions, except for those of libraries', () => {
    expect(variableType(listOf(INT))).toEqual(listOf(INT));
    expect(variableType(struct('kubernetes.Quantity'))).toBe(DYN);
    expect(variableType(undefined)).toBe(DYN);
  });
});

describe('authorizer', () => {
  const program = compile(
    "authorizer.group('apps').resource('deployments').namespace('shop').check('create').allowed()",
    kubernetesEnvironment({ authorizer: true }),
  );
  const resource = { group: '', resource: 'pods', subresource: '', namespace: 'shop', name: 'web' };

  it("uses the caller's authorizer", () => {
    const asked: unknown[] = [];
    const bindings = authorizerBindings(
      (check) => {
        asked.push(check);
        return { allowed: check.user.username === 'alice' };
      },
      { username: 'alice' },
      resource,
    );
    expect(program.evaluate(bindings)).toBe(true);
    expect(asked).toEqual([
      expect.objectContaining({
        verb: 'create',
        group: 'apps',
        resource: 'deployments',
        namespace: 'shop',
        name: '',
      }),
    ]);
    const own = compile(
      "authorizer.requestResource.check('get').reason()",
      kubernetesEnvironment({ authorizer: true }),
    );
    expect(own.evaluate(bindings)).toBe('');
    expect(asked[1]).toMatchObject({ resource: 'pods', name: 'web', verb: 'get' });
  });

  it('fails if there is no authorizer', () => {
    expect(() => program.evaluate(authorizerBindings(undefined, { username: 'alice' }, resource))).toThrow(
      'authorizer is not available: there is no cluster to ask whether "alice" may create deployments',
    );
  });
});

function variables(expressions: Readonly<Record<string, string>>) {
  const programs = new Map<string, Program | CelCompileError>();
  const types: Record<string, Type> = {};
  for (const [name, expression] of Object.entries(expressions)) {
    try {
      const program = compile(expression, kubernetesEnvironment({ variables: { ...types } }));
      programs.set(name, program);
      types[name] = variableType(program.type);
    } catch (error) {
      if (!(error instanceof CelCompileError)) throw error;
      programs.set(name, error);
      types[name] = DYN;
    }
  }
  return { programs, types };
}
