import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { isObject } from '../contract/schemas.ts';
import { CommandFailed } from '../failure.ts';
import type { Seen } from './counts.ts';

/** As archives of raw events call it. */
const TIMES = ['receivedAt', 'received_at', 'timestamp'];

/** The events of files with one JSON object a line, unpacked where the name ends with `.gz`. */
export async function* eventsIn(files: readonly string[]): AsyncGenerator<Seen> {
  for (const file of files) {
    const packed = createReadStream(file);
    const input = file.endsWith('.gz') ? packed.pipe(createGunzip()) : packed;
    // A stream that is piped does not pass its errors on.
    packed.on('error', (error) => input.destroy(error));
    let line = 0;
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      line += 1;
      if (text.trim() !== '') yield eventOf(text, `${file}:${line}`);
    }
  }
}

function eventOf(text: string, place: string): Seen {
  const event = parsed(text);
  const type = event['type'];
  const time = TIMES.map((name) => event[name]).find((value) => typeof value === 'string');
  if (typeof type === 'string' && typeof time === 'string') return { type, time };
  throw new CommandFailed(`${place} is no event: it needs "type", and "receivedAt" or "timestamp"`);
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
