import { rows } from './rows.mjs';

const values = {
  versions: rows(
    '0.0.0; 0.0.3; 0.0.4; 0.1.0; 0.2.3; 0.3.0; 1.0.0; 1.2.0; 1.2.3; 1.2.9; 1.3.0; 1.4.5; 1.5.0; 2.0.0; 2.5.0',
    '3.0.0; 10.0.0; v1.2; 1; 1.2.3+build; 1.2.3-beta; 1.2.3-alpha.1; 1.3.0-beta; 1.0.0-0; 2.0.0-rc.1; 0.0.3-a',
    '0.0.0-0',
  ),
};

/** Each is checked against all versions. */
const constraints = rows(
  '*; x; v*; 1; 1.2; 1.2.3; v1.2.3; 01.2; 1.x; 1.2.X; 1.*.*; 1.x.3; x.1; 1.2.3+build; =1; = 1.2',
  '=1.2.3; =*; !=1; !=1.2; !=1.2.3; !=1.2.x; !=*; >1; >1.2; >1.2.3; >1.2.x; >*; >=1; >=1.2.3; >=1.2.x',
  '=>1.2; >=*; <1; <1.2.3; <1.2.x; <*; <=1; <=1.2; <=1.2.3; =<1.2; <=*; ~1; ~1.2; ~1.2.3; ~1.2.x',
  '~1.x; ~*; ~0; ~0.0; ~0.0.0; ~0.0.3; ~>1.2; ^1; ^1.2; ^1.2.3; ^1.x; ^1.2.x; ^*; ^0; ^0.0; ^0.0.0',
  '^0.0.3; ^0.2; ^0.2.3; >= 1.2 < 3; >=1.2,<3; >=1.2 ,  < 3; >=1.2, <2 || >=10; 1.2.3||2; * || 1; 1 2',
  '1.2 - 1.4.5; 1.2 - 1.4; 1 - 2; 1.x - 2.x; 1 - 2 || 3 - 10; 1.2-1.4.5; >=1.2.3-0; >=1.2.3-beta',
  '1.2.3-beta; !=1.2.3-beta; !=1.2-beta; !=1-0; <1.2.3-beta; <=1.2.3-beta; ~1.2.3-beta; ^1.2.3-beta',
  '>1-0; >=1-0; <2-0; <=1-0; =1-0; ~1-0; ^1-0; ^0.0.0-0; ~0.0.0-0; 1.2.3-alpha - 1.2.4; >0.0.0-0',
  '>=1.2.3-alpha.2; <1.2.3-alpha.beta; >=1.2.3-alpha; <2.0.0-rc.2',
).concat('\t>=1\n<2 ', ' 1.2  -  1.4 , !=1.3');

const badConstraints = rows(
  '||; 1||; ||1; >=; foo; >>1; ==1; ~=1; !1; <>1; > = 1; 1.2.3.4; >1 <; 1,; 1,,2; , 1; >=1<2; >=1 - 2',
  '1 -2; 1 - 2 - 3; =V1; 1.2.3-; 1.2.3-a..b; >=18446744073709551616; 1.2.3-01; 1x; 1.2xx; 1|2; 1 |||2',
  '1.2.3 -beta; -1; 1.2.3 || foo || bar; 01 || 1.2.3-01 foo',
).concat('', ' ', '1 || ');

const badVersions = rows(
  'v; V1; a; 1.2.3.4; 1.2.; .1; 1..2; 1.2.x; *; =1; 1.2.3-; 1.2.3+; 1.2.3-a..b; 1.2.3-01; 1.2.3-a_b',
  '1.2.3+a+b; 18446744073709551616; 1.2.99999999999999999999; 1.2.3-é',
).concat('', ' 1', '1 ', '1\n');

const goodVersions = rows(
  '1; v1.2; 01.02.03; 1.2.3-beta.1+b345; 1.2-beta; 1+meta; 1.2.3-0; 1.2.3--; 1.2.3-00a; 1.2.3+01',
  '18446744073709551615.0.1; 1.2.3-18446744073709551616',
);

const order = rows(
  '1.0.0-alpha; 1.0.0-alpha.1; 1.0.0-alpha.beta; 1.0.0-beta; 1.0.0-beta.2; 1.0.0-beta.11; 1.0.0-rc.1',
  '1.0.0; v1+build; 1.0.0-1; 1.0.0-2; 1.0.0-10; 1.0.0-A; 1.0.0-18446744073709551616; 1.0.0-0a; 2; 10',
);

/** Sprig's functions on semantic versions. */
export const semver = [
  ...constraints.map((constraint) => {
    return `{{range .versions}}{{if semverCompare ${JSON.stringify(constraint)} .}}{{.}} {{end}}{{end}}`;
  }),
  ...badConstraints.map((constraint) => `{{semverCompare ${JSON.stringify(constraint)} "1.2.3"}}`),
  ...badVersions.map((version) => `{{semver ${JSON.stringify(version)}}}`),
  ...goodVersions.map((version) => {
    return `{{with semver ${JSON.stringify(version)}}}{{.}} {{.Major}} {{.Minor}} {{.Patch}} {{.Prerelease}} {{.Metadata}} {{.Original}} {{.String}}{{end}}`;
  }),
  `{{$all := list ${order.map((version) => JSON.stringify(version)).join(' ')}}}{{range $a := $all}}{{range $b := $all}}{{(semver $a).Compare (semver $b)}} {{end}}\n{{end}}`,
  '{{$a := semver "1.2"}}{{$b := semver "1.3"}}{{$a.LessThan $b}} {{$a.LessThanEqual $a}} {{$a.GreaterThan $b}} {{$a.GreaterThanEqual $b}} {{$a.Equal (semver "v1.2.0+x")}} {{$b | $a.Compare}}',
  '{{(semver "v1.2.3-a+m").IncMajor}} {{(semver "1.2.3-a+m").IncMinor}} {{(semver "1.2.3-a+m").IncPatch}} {{(semver "1.2.3+m").IncPatch}} {{(semver "1.2.3").IncMinor.IncPatch}} {{(semver "1.18446744073709551615.1").IncMinor}}',
  '{{(semver "1.2.3").SetPrerelease "beta.1"}} {{(semver "1.2.3-a+b").SetPrerelease ""}} {{(semver "1.2.3").SetPrerelease "a..b"}} {{(semver "1.2.3-a").SetMetadata "01.x"}} {{((semver "1").SetPrerelease "a").Major}}',
  '{{(semver "1.2.3").SetPrerelease "01"}}',
  '{{(semver "1.2.3").SetPrerelease "a_b"}}',
  '{{(semver "1.2.3").SetMetadata "a+b"}}',
  '{{typeOf (semver "1")}} {{kindOf (semver "1")}} {{typeOf (semver "1").IncMajor}} {{kindOf (semver "1").IncMajor}} {{typeOf (semver "1").Major}}',
  '{{toJson (semver "v1")}} {{toJson (semver "v1").IncMajor}} {{list (semver "v1") 2}} {{quote (semver "v1")}} {{semver "v1" | toString}} {{join "," (list (semver "1") (semver "2"))}}',
  '{{printf "%s|%v|%q|%+v|%#v|%d" (semver "v1") (semver "v1") (semver "v1-a") (semver "v1") (semver "v1.2.3-a+b") (semver "v1")}}',
  '{{eq (semver "1") (semver "1")}} {{$v := semver "1"}}{{eq $v $v}} {{eq (semver "1").IncMajor (semver "1").IncMajor}} {{eq (semver "1").IncMajor (semver "2").IncMajor}} {{deepEqual (semver "1") (semver "1")}} {{deepEqual (semver "1") (semver "v1")}}',
  '{{if semver "0"}}yes{{end}} {{default "x" (semver "0")}} {{empty (semver "0")}} {{empty (semver "0").IncMajor}}',
  '{{add (semver "7.1").Major 1}} {{eq (semver "7.1").Major 7}} {{lt (semver "7.1").Minor 2}} {{int (semver "7").Major}}',
  '{{"1.2" | semverCompare ">=1"}} {{ternary "new" "old" (semverCompare "^1.20-0" "v1.27.3-gke.100")}}',
  '{{semverCompare "1" "b"}}',
  '{{semverCompare "a" "b"}}',
  '{{semverCompare "1"}}',
  '{{semver 1}}',
  '{{semver .missing}}',
  '{{(semver "1").Compare nil}}',
  '{{(semver "1").Compare "1"}}',
  '{{(semver "1").Compare}}',
  '{{(semver "1").Compare (semver "1").IncMajor}}',
  '{{(semver "1").IncMajor.Compare (semver "1")}}',
  '{{(semver "1").Major 1}}',
  '{{(semver "1").major}}',
  '{{(semver "1").Foo}}',
  '{{range semver "1"}}{{end}}',
  '{{len (semver "1")}}',
].map((template) => [template, values]);
