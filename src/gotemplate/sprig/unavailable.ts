import { type FunctionMap, func } from '../func.ts';

/**
 * Names of sprig that need a clock, randomness, keys, the network, the environment or large tables of rules. They are
 * known, so that a template which mentions one still loads, and fail when called. A host may supply its own.
 */
export const UNAVAILABLE: FunctionMap = Object.fromEntries(
  [
    ...[
      'ago',
      'date',
      'dateInZone',
      'dateModify',
      'date_in_zone',
      'date_modify',
      'duration',
      'durationRound',
    ],
    ...[
      'htmlDate',
      'htmlDateInZone',
      'mustDateModify',
      'mustToDate',
      'must_date_modify',
      'now',
      'toDate',
      'unixEpoch',
    ],
    ...['randAlpha', 'randAlphaNum', 'randAscii', 'randBytes', 'randInt', 'randNumeric', 'shuffle', 'uuidv4'],
    ...['bcrypt', 'buildCustomCert', 'decryptAES', 'derivePassword', 'encryptAES', 'genCA', 'genCAWithKey'],
    ...[
      'genPrivateKey',
      'genSelfSignedCert',
      'genSelfSignedCertWithKey',
      'genSignedCert',
      'genSignedCertWithKey',
    ],
    ...['htpasswd', 'sha1sum', 'sha256sum', 'sha512sum', 'env', 'expandenv', 'getHostByName'],
    ...[
      'camelcase',
      'kebabcase',
      'snakecase',
      'wrap',
      'wrapWith',
      'semver',
      'semverCompare',
      'urlJoin',
      'urlParse',
    ],
  ].map((name) => [
    name,
    func('func(...interface {}) interface {}', () => {
      throw new Error(`${name} is not available in these templates`);
    }),
  ]),
);
