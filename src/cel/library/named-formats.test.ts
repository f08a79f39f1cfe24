import { expect, test } from 'vitest';
import { NAMED_FORMATS } from './named-formats.ts';

const problems = (format: string, text: string) => NAMED_FORMATS.get(format)?.problems(text);

test.each([
  ['dns1123Label', ['a', '1-b', 'a'.repeat(63)]],
  ['dns1123Subdomain', ['a', 'a-1.b.example']],
  ['dns1035Label', ['a', 'a-1']],
  ['dns1123LabelPrefix', ['a-', 'a']],
  ['dns1123SubdomainPrefix', ['a.b-']],
  ['dns1035LabelPrefix', ['a-']],
  ['qualifiedName', ['Name', 'example.com/a_b.C']],
  ['labelValue', ['', 'a', 'A_b-1.c']],
  ['uri', ['http://h/', '/x']],
  ['uuid', ['123E4567-e89b-12d3-a456-426614174000', '123e4567e89b12d3a456426614174000']],
  ['byte', ['aGk=', 'AAAA', 'AA==']],
  ['date', ['2024-02-29', '0000-01-01']],
  ['datetime', ['2026-03-01T10:00:00Z', '2026-03-01t10:00:00.5+01:00']],
])('%s accepts %j', (format, texts) => {
  for (const text of texts) expect(problems(format, text)).toEqual([]);
});

test.each([
  ['dns1123Label', 'a.b', ['must not contain dots']],
  ['dns1123Label', 'a'.repeat(64), ['must be no more than 63 characters']],
  ['labelValue', 'a'.repeat(64), ['must be no more than 63 bytes']],
  ['qualifiedName', `x/${'a'.repeat(64)}`, ['name part must be no more than 63 bytes']],
  ['uri', 'x', ['parse "x": invalid URI for request']],
  ['uuid', '123', ['does not match the UUID format']],
  ['byte', '', ['invalid base64']],
  ['byte', 'aGk', ['invalid base64']],
  ['date', '2026-02-29', ['invalid date']],
  ['date', '2026-2-1', ['invalid date']],
  ['datetime', '2026-03-01T24:00:00Z', ['invalid datetime']],
  ['datetime', '2026-03-01', ['invalid datetime']],
])('%s rejects %s with %j', (format, text, expected) => {
  expect(problems(format, text)).toEqual(expected);
});

test.each([
  [
    'dns1123Label',
    '-a',
    /^a lowercase RFC 1123 label must consist .* '123-abc', regex used for validation is/,
  ],
  ['dns1123Subdomain', 'A', /^a lowercase RFC 1123 subdomain must .*\(e\.g\. 'example\.com', regex used/],
  ['dns1035Label', '1a', /^a DNS-1035 label must consist .* \(e\.g\. 'my-name', {2}or 'abc-123', regex used/],
  ['dns1035LabelPrefix', 'é-', /^a DNS-1035 label/],
  ['qualifiedName', 'a/b/c', /^a valid label key must consist of .* \(e\.g\. 'example\.com\/MyName'\)$/],
  ['qualifiedName', '/a', /^prefix part must be non-empty$/],
  ['qualifiedName', 'A_/a', /^prefix part a lowercase RFC 1123 subdomain/],
  ['qualifiedName', 'a b', /^name part must consist of/],
  ['labelValue', 'a-', /^a valid label must be an empty string or consist of/],
])("%s rejects %s with Kubernetes' message", (format, text, expected) => {
  expect(problems(format, text)).toEqual([expect.stringMatching(expected)]);
});
