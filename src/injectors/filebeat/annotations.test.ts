import { expect, test } from 'vitest';
import { annotationReader } from './annotations.ts';
import { filebeat } from './filebeat.ts';
import type { Settings } from './settings.ts';

const read = annotationReader(filebeat.config?.({}) as Settings);

test('equal annotations are parsed once, whatever else the Pod has', () => {
  const options = read({ 'filebeat.worker': '2', other: 'a' });
  expect(options.worker).toBe('2');
  expect(read({ other: 'b', 'filebeat.worker': '2' })).toBe(options);
});

test('a different value, a different key and a number are each parsed again', () => {
  expect(read({ 'filebeat.worker': '2' })).toMatchObject({ worker: '2', bulkMaxSize: '2048', problems: [] });
  expect(read({ 'filebeat.worker': '3' })).toMatchObject({ worker: '3', problems: [] });
  expect(read({ 'filebeat.bulk-max-size': '2' })).toMatchObject({ worker: '1', bulkMaxSize: '2' });
  expect(read({ 'filebeat.worker': 2 as unknown as string }).problems).toEqual([
    'annotation "filebeat.worker" is 2, expected a quoted string',
  ]);
});
