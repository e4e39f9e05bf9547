import type { Log } from '../../server/ports/log.ts';

function ignore(): void {
  // A bench measures the work, not the writing about it.
}

export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
