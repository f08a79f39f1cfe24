import { rows } from './rows.mjs';

/** Layouts with every element of Go's time package. */
const layouts = rows(
  '2006-01-02; 06-1-2; Jan _2 2006; January 02, 2006; Monday Mon Janu Mond January1; 2006-002; 2006-__2; _2006_2',
  '15:04:05; 3:4:5 PM; 03:04:05pm; 15h04.05.000; 05.999999; 05,000000000; 05.00x; 05.001; 05.9999999999999',
  'MST; -0700; -07:00; -07; -070000; -07:00:00; Z0700; Z07:00; Z07; Z070000; Z07:00:00; 2006-01-02T15:04:05Z07:00',
  'noon; PMpm; 1 01 2 02 3 03 4 04 5 05 15 06 20061502',
);

/** Layouts and texts, in pairs. */
const texts = [
  ...[
    '2024-02-29',
    '2023-02-29',
    '2024-13-01',
    '2024-1-1',
    '24-01-01',
    '2024-01-00',
    '',
    'x',
    '2024-01-01 ',
  ].map((text) => ['2006-01-02', text]),
  ...[
    '2024-02-29T23:59:59Z',
    '2024-02-29T23:59:59.123456789+01:30',
    '2024-02-29T24:00:00Z',
    '2024-02-29T23:60:00Z',
  ].map((text) => ['2006-01-02T15:04:05Z07:00', text]),
  ...[
    '2024-02-29T23:59:60Z',
    '2024-02-29T23:59:59+25:00',
    '2024-02-29T23:59:59+01:61',
    '2024-02-29T23:59:59-00:00',
  ].map((text) => ['2006-01-02T15:04:05Z07:00', text]),
  ...[
    'Mon Jan  2 15:04:05 CET 2006',
    'tue JAN 12 15:04:05 UTC 2006',
    'Mon Jan 2 5:04:05 GMT+3 2006',
    'Mon Jan 2 15:04:05 abc 2006',
  ].map((text) => ['Mon Jan _2 15:04:05 MST 2006', text]),
  ...[
    'Mon Jan 2 15:04:05 WITA 2006',
    'Mon Jan 2 15:04:05 ABCDE 2006',
    'Mon Jan 2 15:04:05 ABCDT 2006',
    'Xon Jan 2 15:04:05 CET 2006',
  ].map((text) => ['Mon Jan _2 15:04:05 MST 2006', text]),
  ...['12:30AM', '12:30PM', '1:05PM', '13:05PM', '1:05pm', '1:65PM'].map((text) => ['3:04PM', text]),
  ...['1:05pm', '1:05AM', '0:05am'].map((text) => ['3:04pm', text]),
  ...['2024-060', '2023-060', '2024-366', '2023-366', '2024-000', '2024-61'].map((text) => [
    '2006-002',
    text,
  ]),
  ...['2024-02-060', '2024-03-060', '2024-02-29-060'].map((text) => [
    text.length > 12 ? '2006-01-02-002' : '2006-01-002',
    text,
  ]),
  ...['05.5', '05.123', '5.123', '05', '05.1234567891'].map((text) => ['05.000', text]),
  ...['05.5', '05,5', '05', '05.', '05.1234567899'].map((text) => ['05.999', text]),
  ...['05.5', '05.5x', '5', '61'].map((text) => ['05', text]),
  ...['68', '69', '6', '6x'].map((text) => ['06', text]),
  ...['+0100', '-0130', '+01', '0100', '+2500', '+0000'].map((text) => ['-0700', text]),
  ...['+01:00:30', '-01:00:61'].map((text) => ['-07:00:00', text]),
  ...['+010030', '+0100'].map((text) => ['-070000', text]),
  ...['Z', '+01', '-1', 'z'].map((text) => ['Z07', text]),
  ...['January 5', 'Jan 5', 'may 05', 'Month 5'].map((text) => ['January 2', text]),
  ...['a  b', 'a b', 'ab', 'a   2006b'].map((text) => ['a b', text]),
  ['2006  01', '2024 05'],
  ['2006 01', '2024    05'],
  ['2006-01-02 15:04:05 -0700 MST', '2024-05-06 07:08:09 +0200 CEST'],
  ['2006-01-02 15:04:05 -0700 MST', '2024-05-06 07:08:09 +0000 UTC'],
];

const moments = [
  '2024-02-29T03:04:05Z',
  '1999-12-31T23:59:59.120Z',
  '0001-01-01T00:00:00Z',
  '2024-07-06T12:00:00+05:30',
];
const rfc3339 = '2006-01-02T15:04:05Z07:00';
const date = (text) => `(toDate ${JSON.stringify(rfc3339)} ${JSON.stringify(text)})`;

export const dates = [
  ...moments.map((text) =>
    layouts.map((layout) => `{{${date(text)}.Format ${JSON.stringify(layout)}}}`).join('|'),
  ),
  ...texts.map(([layout, text]) => `{{toDate ${JSON.stringify(layout)} ${JSON.stringify(text)}}}`),
  ...texts.map(([layout, text]) => `{{mustToDate ${JSON.stringify(layout)} ${JSON.stringify(text)}}}`),
  ...moments.map(
    (text) =>
      `{{with ${date(text)}}}{{.Year}} {{.Month}} {{printf "%d" .Month}} {{.Day}} {{.Weekday}} {{.YearDay}} {{.Hour}}:{{.Minute}}:{{.Second}}.{{.Nanosecond}} {{.Unix}} {{.UnixMilli}} {{.UnixMicro}} {{.IsZero}} {{.UTC}} {{.String}} {{.AddDate 0 1 2}} {{.AddDate -1 -3 -40}} {{unixEpoch .}} {{toJson .}} {{.}}{{end}}`,
  ),
  `{{${date(moments[0])}.Before ${date(moments[1])}}} {{${date(moments[0])}.After ${date(moments[1])}}} {{${date(moments[3])}.Equal ${date(moments[3])}}}`,
  '{{date "2006-01-02 15:04:05 MST" 0}} {{date "2006-01-02T15:04:05Z07:00" 1700000000}} {{date "2006" (int64 -62135596801)}} {{date "Mon Jan 2" .i}}',
  '{{dateInZone "15:04" 3600 "UTC"}} {{date_in_zone "15:04" 3600 ""}} {{dateInZone "15:04" 3600 "Local"}} {{htmlDate 86400}} {{htmlDateInZone 86399 "UTC"}}',
  `{{date "15:04 MST -0700" ${date(moments[3])}}} {{htmlDate ${date(moments[3])}}}`,
  ...rows(
    '1h; -1.5h; 24h30m5s; x; 5; 1d; ; 100ms; .5s; 1.s; .s; 9223372036854775807ns; 9223372036854775808ns; -9223372036854775808ns; 1µs',
  ).flatMap((text) => [
    `{{dateModify ${JSON.stringify(text)} ${date(moments[0])}}} {{durationRound ${JSON.stringify(text)}}}`,
    `{{mustDateModify ${JSON.stringify(text)} ${date(moments[0])}}}`,
  ]),
  '{{date_modify "1h" (toDate "2006" "2020")}} {{must_date_modify "1h" (toDate "2006" "2020")}}',
  '{{range list "0" "5" "-5" "+61" "3600" "3661" "86400" "x" "" "1.5" "99999999999999999999" "-99999999999999999999" "9223372036"}}{{duration .}} {{end}}',
  '{{duration 95}} {{duration (int64 95)}} {{duration (int64 -3700)}} {{duration nil}} {{duration 1.5}} {{duration .n}}',
  '{{range list "2h10m5s" "2160h10m5s" "1s" "1.5s" "61s" "8761h" "-2h10m5s" "0s" "25h" "721h" "abc"}}{{durationRound .}} {{end}}{{durationRound (int64 90000000000)}} {{durationRound 90}} {{durationRound nil}}',
  '{{unixEpoch 5}}',
  '{{dateModify "1h" "2020"}}',
];
