import { culprit } from './culprit.ts';
import { Refusal } from './result.ts';
import { byteLength } from './utf8.ts';
import type { Message } from './wire.ts';

/** An event of more bytes of JSON is refused at the call (LIB-10); the server drops it at the same size. */
export const EVENT_BYTES = 32_768;

export interface Serialized {
  readonly json: string;
  /** Of the JSON in UTF-8. */
  readonly bytes: number;
}

/**
 * The snapshot of a message: these bytes are what is sent, whatever its objects become later. A message that cannot be
 * written is refused alone, and never reaches a batch.
 */
export function serialize(message: Message): Serialized {
  const json = write(message);
  const bytes = byteLength(json);
  if (bytes <= EVENT_BYTES) return { json, bytes };
  throw new Refusal(`the event takes ${bytes} bytes, at most ${EVENT_BYTES} are allowed`, 'event_too_large');
}

function write(message: Message): string {
  try {
    return JSON.stringify(message);
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    throw new Refusal(culprit(message) ?? `the message cannot be written as JSON: ${name}`, 'unserializable');
  }
}
