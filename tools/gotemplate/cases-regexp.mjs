import { rows } from './rows.mjs';

const values = {
  s: 'baaab a.b AB-12 ab\nÉé αβ 😀 k1=v1,k2=v2',
  a: 'baaab',
  empty: '',
  image: 'registry.example.com:5000/team/app:v1.2.3@sha256:abc',
  bad: ['a`(', 'a\u0001('],
};

/** Each is used with every function. */
const patterns = rows(
  'a; a*; a+?; a*?; (a|ab)(c|b?); a|ab; (?:a|ab)b; a.*b|a; ^b; b$; (?m)b$; (?m)^; \\Ab; b\\z; \\b',
  '\\B; \\bab?\\b; .; (?s).+; (?U)a+; (?U)a+?; (?i)ab; (?i:A)b; (?i)É; (?i)\\x{3b1}; \\d+; \\w+',
  '[^\\w\\s]; [a-c]{2,3}; a{2}; a{0}; a{,2}; a{; []ab]+; [^]ab]+; [a-]; [[:alpha:]]+; [[:^alpha:]]+',
  '\\pL+; \\pl+; \\p{Greek}+; \\p{greek}; \\p{^greek}+; \\P{Lu}+; \\p{Uppercase_Letter}',
  '\\p{uppercase letter}; \\p{ASCII}+; \\p{any}+; [\\p{Letter}\\d]+; 😀|α; [😀-😂]; \\x{1F600}',
  '\\Qa.b\\E; \\Qa.b; (?P<key>k\\d)=(?P<value>v\\d); (?<key>k\\d)=(?<value>v\\d); (?P<x>a)|(?P<x>b)',
  '(a)?(b)?; ((a)|(b))+; (a*)*; (a*)+; (|a)+; (); $^; x*; (?:(?:a{1,3}){2})',
).concat('');

/** Patterns that Go rejects. */
const mistakes = rows(
  '(; ); (?; (?P<n; (?P<>a); (?P<n-m>a); (?P=n); (?=a); (?!a); (?<=a); (?<!a); (?>a); (?#c); (?x)a',
  '(?-); *; a**; a*+; a{2}{3}; ^*?+; a{1001}; a{2,1}; (?:a{100}){100}; [; [a; [z-a]; [a-\\d]',
  '[[:foo:]]; \\; \\8; \\1; \\Z; \\C; \\R; \\u0041; \\x{110000}; \\x4; \\p; \\pX; \\p{Foo}',
  '\\p{greek}(; (?P<n>a)(?P<n>b; é(',
);

const replacements = rows(
  `-; $0; <$1>; \${1}x; $1x; $2$1; $$; $; a$; \${; \${1; $9; $01; \\1; $x; \${x}; $key=\${value}`,
).concat('', '$ ');

/** Sprig's functions on regular expressions. */
export const regexp = [
  ...patterns.map((pattern) => {
    const p = JSON.stringify(pattern);
    return [
      `{{regexMatch ${p} .s}} {{regexFind ${p} .s}}`,
      `{{range list .s .a .empty}}{{regexFindAll ${p} . -1 | toJson}}{{regexFindAll ${p} . 2}}{{end}}`,
      `{{range list .s .a .empty}}{{regexSplit ${p} . -1 | toJson}}{{regexSplit ${p} . 2 | toJson}}{{end}}`,
      `{{regexReplaceAll ${p} .a "<$0>"}} {{regexReplaceAllLiteral ${p} .s "$0"}}`,
    ].join('\n');
  }),
  ...replacements.map((replacement) => {
    const r = JSON.stringify(replacement);
    return `{{regexReplaceAll "(?P<x>a)(?P<y>b)?" .s ${r}}} {{mustRegexReplaceAll "(?P<key>k.)=(?P<value>v.)|(?P<x>A)" .s ${r}}}`;
  }),
  ...mistakes.flatMap((pattern) => {
    const p = JSON.stringify(pattern);
    return [`{{regexMatch ${p} .s}}|{{mustRegexMatch ${p} .s}}`, `{{regexFind ${p} .s}}`];
  }),
  ...[
    'mustRegexFind $p "a"',
    'regexFindAll $p "a" 1',
    'mustRegexFindAll $p "a" 1',
    'regexReplaceAll $p "a" "b"',
    'mustRegexReplaceAll $p "a" "b"',
    'regexReplaceAllLiteral $p "a" "b"',
    'mustRegexReplaceAllLiteral $p "a" "b"',
    'regexSplit $p "a" 1',
    'mustRegexSplit $p "a" 1',
  ].map((call) => `{{$p := "("}}{{${call}}}`),
  '{{regexFind (index .bad 0) "a"}}',
  '{{regexFind (index .bad 1) "a"}}',
  '{{mustRegexMatch "b+" .a}} {{mustRegexFind "a+" .a}} {{mustRegexFindAll "a" .a -1}} {{mustRegexReplaceAllLiteral "a" .a "$"}} {{mustRegexSplit "a" .a -1}}',
  '{{regexFindAll "a" .a 0 | toJson}} {{regexFindAll "x" .a -1 | toJson}} {{regexSplit "a" .a 0 | toJson}} {{regexSplit "a" .a 1 | toJson}} {{regexSplit "" "" -1 | toJson}} {{regexSplit "a" "" -1 | toJson}}',
  '{{typeOf (regexFindAll "a" .a -1)}} {{len (regexSplit "a" .a -1)}} {{regexFindAll "a" .a -7 | len}} {{regexFindAll "a" .a 99 | join "+"}}',
  '{{regexQuoteMeta "a.b*c+(d)[e]{f}^$|\\\\?-/é"}} {{regexMatch (printf "^%s$" (regexQuoteMeta .s)) .s}}',
  '{{regexReplaceAll "^(?:([^/]+)/)?(?:([^@]+/))?([^@:/]+)(?::([^@]+))?(?:@(.+))?$" .image "$1 $2 $3 $4 $5"}}',
  '{{.image | regexFind "[0-9]+\\\\.[0-9]+"}} {{.s | regexReplaceAll "a" "b"}} {{regexMatch "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" "my-name"}}',
  '{{regexMatch 1 "a"}}',
  '{{regexFindAll "a" "b"}}',
  '{{regexFindAll "a" "b" "c"}}',
  '{{regexReplaceAll "a" .missing "b"}}',
].map((template) => [template, values]);
