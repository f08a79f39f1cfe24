import { expect, test } from 'vitest';
import { isUrl, toUrl, urlHostname, urlPort, urlQuery } from './url.ts';

test('a URL has parts', () => {
  const url = toUrl('HTTPS://user:pw@Example.com:8443/a%20b/c?x=1&y=2&x=3#top');
  expect(url).toMatchObject({ scheme: 'https', host: 'Example.com:8443', escapedPath: '/a%20b/c' });
  expect(urlHostname(url)).toBe('Example.com');
  expect(urlPort(url)).toBe('8443');
  expect([...urlQuery(url)]).toEqual([
    ['x', ['1', '3']],
    ['y', ['2']],
  ]);
  expect(url.text).toBe('https://user:pw@Example.com:8443/a%20b/c?x=1&y=2&x=3#top');
});

test.each([
  ['https://[::1]:80/', '[::1]:80', '::1', '80'],
  ['http://[fe80::1%25en0]/', '[fe80::1%en0]', 'fe80::1%en0', ''],
  ['https://example.com:', 'example.com:', 'example.com', ''],
  ['//example.com/x', 'example.com', 'example.com', ''],
  ['/only/a/path', '', '', ''],
  ['postgres://a:1,b:2/db', 'a:1,b:2', 'a:1,b', '2'],
  ['http://b%C3%BCcher.example/', 'bücher.example', 'bücher.example', ''],
])('the host of %s is %s', (text, host, hostname, port) => {
  const url = toUrl(text);
  expect([url.host, urlHostname(url), urlPort(url)]).toEqual([host, hostname, port]);
});

test.each([
  ['https://h/é', '/%C3%A9'],
  ['https://h/a b', '/a%20b'],
  ["https://h/it's(!)", "/it's(!)"],
  ['https://h/%2f', '/%2f'],
  ['https://h', ''],
  ['mailto:a@b', ''],
  ['*', '*'],
])('the path of %s is escaped as %s', (text, path) => {
  expect(toUrl(text).escapedPath).toBe(path);
});

test.each<[string, [string, string[]][]]>([
  ['/?a=1;b=2&c', [['c', ['']]]],
  ['/?a=%zz&b=%41+c', [['b', ['A c']]]],
  ['/?&&=x', [['', ['x']]]],
  ['/?__proto__=1', [['__proto__', ['1']]]],
  ['/?', []],
  ['/', []],
])('the query of %s', (text, expected) => {
  expect([...urlQuery(toUrl(text))]).toEqual(expected);
});

test.each([
  ['', 'empty url'],
  ['path', 'invalid URI for request'],
  ['../x', 'invalid URI for request'],
  [':x', 'missing protocol scheme'],
  ['http://h/\n', 'net/url: invalid control character in URL'],
  ['http://h:x/', 'invalid port ":x" after host'],
  ['http://a:1:2/', 'invalid port ":1:2" after host'],
  ['http://[::1]x/', 'invalid port "x" after host'],
  ['http://[::1/', "missing ']' in host"],
  ['http://x[::1]/', 'invalid IP-literal'],
  ['http://[1.2.3.4]/', 'invalid IP-literal'],
  [
    'http://[::x]/',
    'invalid host: ParseAddr("::x"): each colon-separated field must have at least one digit (at "x")',
  ],
  ['http://a b/', 'invalid character " " in host name'],
  ['http://%41/', 'invalid URL escape "%41"'],
  ['http://h/%zz', 'invalid URL escape "%zz"'],
  ['http://h/%é', 'invalid URL escape "%é"'],
  ['http://h/%😀', 'invalid URL escape "%\\xf0\\x9f"'],
  ['http://us er@h/', 'net/url: invalid userinfo'],
])("%j is rejected with Go's message", (text, message) => {
  expect(isUrl(text)).toBe(false);
  expect(() => toUrl(text)).toThrow(
    `URL parse error during conversion from string: parse ${JSON.stringify(text)}: ${message}`,
  );
});

test('a text that only the parser of references rejects counts as a URL, but cannot be converted', () => {
  expect(isUrl('//a b/')).toBe(true);
  expect(() => toUrl('//a b/')).toThrow('parse "//a b/": invalid character " " in host name');
  expect(() => toUrl('mailto:x#%zz')).toThrow('parse "mailto:x#%zz": invalid URL escape "%zz"');
});

test('URLs are equal if they are printed the same', () => {
  expect(toUrl('http://h/%7Ex').text).toBe('http://h/%7Ex');
  expect(toUrl('http://h?').text).toBe('http://h?');
  expect(toUrl('file:///x').text).toBe('file:///x');
  expect(toUrl('x:/y').text).toBe('x:/y');
});
