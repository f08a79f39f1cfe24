import { expect, test } from 'vitest';
import { csvRecord } from './csv-record.ts';

test.each([
  ['web', ['web']],
  ['web,proxy', ['web', 'proxy']],
  [' web , proxy', [' web ', ' proxy']],
  ['web,', ['web', '']],
  [',', ['', '']],
  ['"web","a ""b"", c"', ['web', 'a "b", c']],
  ['"two\r\nlines",b', ['two\nlines', 'b']],
  ['\n\nweb\nproxy', ['web']],
  ['web\r\nproxy', ['web']],
  ['web\r', ['web']],
])('%j has the fields %j', (text, fields) => {
  expect(csvRecord(text)).toEqual(fields);
});

test.each(['', '\n', 'we"b', '"web', '"web"x', ' "web"'])('%j is not a record', (text) => {
  expect(csvRecord(text)).toBeUndefined();
});
