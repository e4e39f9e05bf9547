import { attempt } from './attempt.ts';
import { batchBody } from './batch.ts';
import { safely } from './emitter.ts';
import { gzip } from './gzip.ts';
import { idsOf, type Item } from './item.ts';
import type { Settings } from './options.ts';
import type { Outcome } from './outcome.ts';
import { isPageHidden, outlivePage } from './page.ts';
import type { Reporter } from './reporter.ts';
import { byteLength } from './utf8.ts';

/** One request with these items, the `number`th for them (1 is the first); none once stopped. Never rejects. */
export async function request(
  items: readonly Item[],
  number: number,
  settings: Settings,
  reporter: Reporter,
  stop: AbortSignal,
): Promise<Outcome | undefined> {
  const { url, clock, authorization } = settings;
  const startedAt = clock.now();
  const text = batchBody(items, new Date(startedAt));
  const headers: Record<string, string> = { authorization, 'content-type': 'application/json' };
  if (number > 1) headers['x-retry-count'] = String(number - 1);
  // Compressing takes turns, and a page that is left has none.
  const zipped = settings.gzip && !isPageHidden() ? await gzip(text) : undefined;
  // An end that came before the request would never be told to it.
  if (stop.aborted) return undefined;
  if (zipped !== undefined) headers['content-encoding'] = 'gzip';
  const body = zipped ?? text;
  const bytes = zipped?.length ?? byteLength(text);
  reporter.requesting({ url, attempt: number, messages: items.length, bytes });
  // `keepalive` only where it means something: not every runtime takes it.
  const release = outlivePage(bytes);
  let landed: (() => void) | undefined;
  safely(() => (landed = settings.store?.sending?.(idsOf(items))), reporter.onThrow);
  const kept = release && ({ keepalive: true } as const);
  const outcome = await attempt({ method: 'POST', headers, body, redirect: 'manual', ...kept }, settings, stop);
  release?.();
  safely(() => landed?.(), reporter.onThrow);
  const { status } = outcome;
  if (status) {
    reporter.events.emit('response', () => ({ status, attempt: number, durationMs: clock.now() - startedAt }));
  }
  return outcome;
}
