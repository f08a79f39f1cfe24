import { pageFile } from './page-files.ts';
import { jsonReply, type PageReply, textReply } from './page-reply.ts';
import type { RequestLog } from './request-log.ts';
import type { PageState } from './view.ts';

export interface PageSource {
  readonly state: () => PageState;
  readonly requests: Pick<RequestLog, 'list' | 'find'>;
}

/** Answers what both servers of the page have: its files, its state and its requests. `path` begins with `/`. */
export async function answerPage(
  method: string | undefined,
  path: string,
  { state, requests }: PageSource,
): Promise<PageReply> {
  if (method !== 'GET' && method !== 'HEAD') {
    return { ...textReply(405, `${path} takes GET`), headers: { Allow: 'GET, HEAD' } };
  }
  if (path === '/api/state') return jsonReply(state());
  if (path === '/api/requests') return jsonReply(requests.list());
  const [, uid] = /^\/api\/requests\/([\w-]{1,64})$/.exec(path) ?? [];
  if (uid === undefined) {
    return path.startsWith('/api/') ? textReply(404, `no such path: ${path}`) : pageFile(path);
  }
  const view = await requests.find(uid);
  return view === undefined ? textReply(404, `no request "${uid}" among the last ones`) : jsonReply(view);
}
