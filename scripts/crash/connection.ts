import { connect } from '../router/connect.ts';

/** A source that is connected to one webhook. */
export interface Connection {
  readonly writeKey: string;
}

const SLUG = 'crash';
/** Full name of the source. */
export const SOURCE = `workspaces/main/sources/${SLUG}`;

/** Makes source and destination over the Config API. */
export async function connectWebhook(url: string, token: string, webhook: string): Promise<Connection> {
  return { writeKey: await connect({ url, token, slug: SLUG, hook: webhook }) };
}
