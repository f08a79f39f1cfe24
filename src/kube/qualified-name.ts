const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const NAME_TEXT = `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${NAME}')`;
const SUBDOMAIN = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const SUBDOMAIN_TEXT = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`;
const SUBDOMAIN_PATTERN = new RegExp(`^${SUBDOMAIN}$`);
const NAME_PATTERN = new RegExp(`^${NAME}$`);

/** apimachinery's IsQualifiedName. */
export function qualifiedNameProblems(key: string): string[] {
  const parts = key.split('/');
  if (parts.length > 2) {
    return [
      `a qualified name ${NAME_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const problems: string[] = [];
  const name = parts.at(-1) as string;
  if (parts.length === 2) {
    const prefix = parts[0] as string;
    if (prefix === '') problems.push('prefix part must be non-empty');
    else problems.push(...subdomainProblems(prefix).map((problem) => `prefix part ${problem}`));
  }
  if (name === '') problems.push('name part must be non-empty');
  else if (name.length > 63) problems.push('name part must be no more than 63 bytes');
  if (!NAME_PATTERN.test(name)) problems.push(`name part ${NAME_TEXT}`);
  return problems;
}

/** apimachinery's IsDNS1123Subdomain. */
export function subdomainProblems(text: string): string[] {
  return [
    ...(text.length > 253 ? ['must be no more than 253 bytes'] : []),
    ...(SUBDOMAIN_PATTERN.test(text) ? [] : [SUBDOMAIN_TEXT]),
  ];
}

/** apimachinery's IsValidLabelValue. */
export function labelValueProblems(value: string): string[] {
  const text = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`;
  return [
    ...(value.length > 63 ? ['must be no more than 63 bytes'] : []),
    ...(value === '' || NAME_PATTERN.test(value) ? [] : [text]),
  ];
}
