import type { Writer } from './field-history.ts';
import type { Loop } from './loop-finder.ts';

/** What to do about a loop. */
export function suggestionFor({ shares, path }: Loop): string {
  const writers = [
    ...new Map(
      shares.map(({ writer }) => [`${writer.kind} ${writer.name} ${writer.detail}`, writer]),
    ).values(),
  ];
  const webhooks = writers.filter(({ kind }) => kind === 'webhook');
  const [webhook] = webhooks;
  const user = writers.find(({ kind }) => kind === 'user');
  if (webhook !== undefined && user !== undefined) {
    return (
      `webhook "${webhook.name}" sets ${path} again whenever ${writerName(user)} changes it. Let ${writerName(user)} leave the field alone, ` +
      `or exclude it from the webhook with a match condition on request.userInfo.username, or call the webhook for CREATE only`
    );
  }
  if (webhooks.length > 1) {
    const names = webhooks.map(({ name }) => `"${name}"`).join(' and ');
    return `webhooks ${names} disagree about ${path}. Let one of them own it`;
  }
  const names = writers.slice(0, 3).map(writerName).join(' and ');
  return (
    `${names} disagree about ${path}. Let one of them own the field and remove it from what the others write; ` +
    `with server-side apply, such conflicts are reported instead of overwritten`
  );
}

function writerName({ name, detail }: Writer): string {
  return name === '' ? detail : name;
}
