/** Whether this can be the ARN of an IAM role, as far as its form tells. */
export function looksLikeRoleArn(text: string): boolean {
  return /^arn:aws[a-z0-9-]*:iam::\d{12}:role\/[\w\-/.@+=,]+$/.test(text);
}

/** The partition of a region: the second part of every ARN there. */
export function partitionOf(region: string): string {
  return PARTITIONS.find(([prefix]) => region.startsWith(prefix))?.[1] ?? 'aws';
}

const PARTITIONS = [
  ['cn-', 'aws-cn'],
  ['us-gov-', 'aws-us-gov'],
  ['us-iso-', 'aws-iso'],
  ['us-isob-', 'aws-iso-b'],
  ['eusc-', 'aws-eusc'],
] as const;
