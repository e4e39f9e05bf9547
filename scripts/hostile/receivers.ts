/** A process of its own, so that what the receivers use of memory and time is not counted as the sender's. */
import { createAuthority } from '../../testbed/tls/tls-fault.ts';
import { HOSTILE_ROWS, type Timing } from './rows.ts';
import { startHostile } from './start.ts';

export interface Ready {
  /** PEM; the sender is to trust it. */
  readonly authority: string;
  readonly urls: Readonly<Record<string, string>>;
}

/** Any moment will do, for a process that lives for minutes. */
const authority = createAuthority(Date.now());

process.once('message', (timing: Timing) => void start(timing));
process.once('disconnect', () => process.exit(0));

async function start(timing: Timing): Promise<void> {
  const started = await Promise.all(
    HOSTILE_ROWS.map(async (row) => [row.fault, (await startHostile(row, timing, authority)).url] as const),
  );
  const ready: Ready = { authority: authority.certificate, urls: Object.fromEntries(started) };
  process.send?.(ready);
}
