import type { RequestsPage } from '../server/requests-page.ts';
import { version } from '../version.ts';
import type { ServeOptions } from './serve-options.ts';

/** The page of `serve --page`. Its code is loaded only with that option. */
export async function openPage({ page }: ServeOptions): Promise<RequestsPage | undefined> {
  if (page !== true) return undefined;
  const { createRequestsPage } = await import('../server/requests-page.ts');
  return createRequestsPage(version());
}
