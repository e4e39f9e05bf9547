import type { Download } from './call.ts';
import { openStream } from './open-stream.ts';
import type { ConfigClientSettings } from './options.ts';

/** Asks for answers of bytes. However many there are, `timeoutMs` is for each piece of them. */
export function createDownload(settings: ConfigClientSettings): Download {
  return async function* download(call) {
    const { body, within } = await openStream(settings, call, '*/*');
    const reader = body.getReader();
    try {
      for (;;) {
        const { done, value } = await within(settings.timeoutMs, () => reader.read());
        if (done) return;
        yield value;
      }
    } finally {
      // What broke is cancelled already.
      await reader.cancel().catch(() => {});
    }
  };
}
