import { expect, test } from 'vitest';
import { goJson, goJsonText } from './go-json.ts';

test('writes fields in the order of Go, omits empty ones and keeps unknown ones', () => {
  const port = { newField: 1, protocol: 'TCP', containerPort: 80, name: '', hostPort: 0 };
  expect(goJsonText(goJson(port, 'ContainerPort'))).toBe(
    '{"containerPort":80,"protocol":"TCP","newField":1}',
  );
});

test('keeps pointers to zero values', () => {
  const context = { runAsUser: 0, privileged: false, capabilities: {} };
  expect(goJson(context, 'SecurityContext')).toEqual(context);
});

test('writes some fields even if they are empty', () => {
  expect(goJsonText(goJson({ image: 'a' }, 'Container'))).toBe('{"name":"","image":"a","resources":{}}');
  expect(goJson({ port: 80 }, 'GRPCAction')).toEqual({ port: 80, service: null });
});

test('writes canonical quantities and sorted maps', () => {
  const resources = { limits: { memory: '1024Mi', cpu: '2000m' } };
  expect(goJsonText(goJson(resources, 'ResourceRequirements'))).toBe('{"limits":{"cpu":"2","memory":"1Gi"}}');
});

test('keeps quantities with exponents, as Go does', () => {
  const resources = { limits: { cpu: '1e3', memory: '2E6' } };
  expect(goJsonText(goJson(resources, 'ResourceRequirements'))).toBe(
    '{"limits":{"cpu":"1e3","memory":"2e6"}}',
  );
});

test('escapes as Go does', () => {
  expect(goJsonText({ a: '<&>' })).toBe('{"a":"\\u003c\\u0026\\u003e"}');
});
