import { afterEach, expect, test, vi } from 'vitest';
import { bench } from '../support/analytics-bench.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** As where memory is short: it takes what is written, and breaks. */
class BreakingStream {
  readonly writable = new WritableStream();
  readonly readable = new ReadableStream({ start: (controller) => controller.error(new Error('broken')) });
}

test.each([
  ['throws', () => expect.unreachable()],
  ['breaks', BreakingStream],
])('LIB-11: where compression %s, what was taken is sent as it is', async (_, stream) => {
  vi.stubGlobal('CompressionStream', stream);
  const { analytics, clock, server } = bench({ gzip: true });
  analytics.track('u', 'e', {}, { messageId: 'm' });
  expect(await clock.until(analytics.close())).toMatchObject({ delivered: 1, unsent: [] });
  expect(server.acceptedIds).toEqual(['m']);
  expect(server.requests[0]?.headers['content-encoding']).toBeUndefined();
});
