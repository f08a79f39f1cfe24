import { type Func, type FunctionMap, func } from '../func.ts';

/**
 * Functions of sprig that fail when called, with the reason. They are defined so that templates which mention them still
 * parse. A host may replace them.
 */
export const UNAVAILABLE: FunctionMap = Object.fromEntries([
  ...unavailable('it depends on the clock', 'ago now'),
  ...unavailable(
    'its result is random',
    'randAlpha randAlphaNum randAscii randBytes randInt randNumeric shuffle uuidv4',
  ),
  ...unavailable(
    'it needs cryptography',
    'bcrypt buildCustomCert decryptAES derivePassword encryptAES genCA genCAWithKey genPrivateKey genSelfSignedCert',
    'genSelfSignedCertWithKey genSignedCert genSignedCertWithKey htpasswd',
  ),
  ...unavailable('it reads the environment', 'env expandenv'),
  ...unavailable('it uses the network', 'getHostByName'),
]);

function unavailable(reason: string, ...lines: readonly string[]): [string, Func][] {
  return lines
    .flatMap((line) => line.split(' '))
    .map((name) => [
      name,
      func('func(...interface {}) interface {}', () => {
        throw new Error(`${name} is not available in these templates: ${reason}`);
      }),
    ]);
}
