import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { duplicate, type FieldError, invalidValue, notSupported, required } from '../kube/field-error.ts';
import { subdomainProblems } from '../kube/qualified-name.ts';
import { validateRules } from '../policy/validate-rules.ts';
import { validateConditions } from './evaluate-condition.ts';

/** API validation of a webhook configuration. */
export function validateWebhooks({ webhooks }: JsonObject): FieldError[] {
  const names = new Set<Json | undefined>();
  return (isJsonArray(webhooks) ? webhooks : []).filter(isJsonObject).flatMap((webhook, index) => {
    const field = `webhooks[${index}]`;
    const isRepeated = names.has(webhook.name);
    names.add(webhook.name);
    return [
      ...validateWebhook(webhook, field),
      ...validateVersions(webhook, `${field}.admissionReviewVersions`),
      ...(isRepeated ? [duplicate(`${field}.name`, webhook.name)] : []),
    ];
  });
}

function validateWebhook(webhook: JsonObject, field: string): FieldError[] {
  const { failurePolicy, matchPolicy, sideEffects, timeoutSeconds, reinvocationPolicy } = webhook;
  const oneOf = (name: string, value: Json | undefined, allowed: readonly string[]) =>
    value === undefined || allowed.includes(String(value))
      ? []
      : [notSupported(`${field}.${name}`, value, allowed)];
  const isTimeout =
    timeoutSeconds === undefined || (Number(timeoutSeconds) >= 1 && Number(timeoutSeconds) <= 30);
  return [
    ...validateName(webhook.name, `${field}.name`),
    ...validateRules(webhook.rules, `${field}.rules`),
    ...oneOf('failurePolicy', failurePolicy, ['Fail', 'Ignore']),
    ...oneOf('matchPolicy', matchPolicy, ['Equivalent', 'Exact']),
    ...(sideEffects === undefined
      ? [required(`${field}.sideEffects`, 'must specify one of None, NoneOnDryRun')]
      : oneOf('sideEffects', sideEffects, ['None', 'NoneOnDryRun'])),
    ...(isTimeout
      ? []
      : [
          invalidValue(
            `${field}.timeoutSeconds`,
            timeoutSeconds,
            'the timeout value must be between 1 and 30 seconds',
          ),
        ]),
    ...validateClient(
      isJsonObject(webhook.clientConfig) ? webhook.clientConfig : {},
      `${field}.clientConfig`,
    ),
    ...oneOf('reinvocationPolicy', reinvocationPolicy, ['IfNeeded', 'Never']),
    ...validateConditions(webhook, `${field}.matchConditions`),
  ];
}

function validateName(name: Json | undefined, field: string): FieldError[] {
  if (typeof name !== 'string' || name === '') return [required(field)];
  const problems = subdomainProblems(name);
  if (problems.length > 0) return problems.map((problem) => invalidValue(field, name, problem));
  const isQualified = name.split('.').length >= 3;
  return isQualified
    ? []
    : [invalidValue(field, name, 'should be a domain with at least three segments separated by dots')];
}

function validateVersions({ admissionReviewVersions }: JsonObject, field: string): FieldError[] {
  const versions = isJsonArray(admissionReviewVersions) ? admissionReviewVersions : [];
  if (versions.length === 0) return [required(field, 'must specify one of v1, v1beta1')];
  return versions.includes('v1') || versions.includes('v1beta1')
    ? []
    : [invalidValue(field, versions, 'must include at least one of v1, v1beta1')];
}

function validateClient({ url, service }: JsonObject, field: string): FieldError[] {
  if ((url === undefined) === (service === undefined)) {
    return [required(field, 'exactly one of url or service is required')];
  }
  return typeof url === 'string' ? validateUrl(url, `${field}.url`) : [];
}

const FORMAT = '; desired format: https://host[/path]';

function validateUrl(text: string, field: string): FieldError[] {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return [required(field, `url must be a valid URL${FORMAT}`)];
  }
  const scheme = url.protocol.slice(0, -1);
  return [
    ...(scheme === 'https'
      ? []
      : [invalidValue(field, scheme, `'https' is the only allowed URL scheme${FORMAT}`)]),
    ...(url.host === '' ? [invalidValue(field, url.host, `host must be specified${FORMAT}`)] : []),
    ...(url.username === ''
      ? []
      : [invalidValue(field, url.username, 'user information is not permitted in the URL')]),
    ...(url.hash === ''
      ? []
      : [invalidValue(field, url.hash.slice(1), 'fragments are not permitted in the URL')]),
    ...(url.search === ''
      ? []
      : [invalidValue(field, url.search.slice(1), 'query parameters are not permitted in the URL')]),
  ];
}
