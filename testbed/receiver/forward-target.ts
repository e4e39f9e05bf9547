import type { Header } from './received.ts';

/** Headers about one connection, which the next one makes for itself. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'te', 'upgrade', 'expect']);
const MADE_ANEW = new Set([...OF_THE_CONNECTION, 'host', 'content-length']);

export interface Target {
  readonly origin: URL;
  /** As it goes on the wire: nothing normalizes it. */
  readonly path: string;
}

/** Where a request goes on to: a target with a path gets everything there, one without the path that was asked. */
export function targetOf(base: string, asked: string): Target {
  const url = new URL(base);
  const origin = new URL(url.origin);
  if (url.pathname === '/' && url.search === '') return { origin, path: asked };
  const at = asked.indexOf('?');
  return { origin, path: url.pathname + (url.search || (at === -1 ? '' : asked.slice(at))) };
}

/** The headers of a request that goes on, as Node takes them: as they came, but for those of the connection. */
export function headersFor({ origin }: Target, headers: readonly Header[], body: Uint8Array): string[] {
  const kept = headers.filter(([name]) => !MADE_ANEW.has(name.toLowerCase()));
  return [...kept, ['Host', origin.host], ['Content-Length', String(body.length)]].flat();
}

/** The headers of an answer that goes back. */
export function withoutConnection(headers: readonly Header[]): readonly Header[] {
  return headers.filter(([name]) => !OF_THE_CONNECTION.has(name.toLowerCase()));
}

/** Why a request did not go on. A name with several addresses fails with an error for each. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
