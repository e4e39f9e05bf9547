import type { ReceiverClock } from '../receiver/receiver-clock.ts';
import type { Answer } from '../fault-script/behavior.ts';
import { headersOf } from '../receiver/answer-headers.ts';
import { contentOf, dripped } from '../receiver/filler.ts';
import type { Header } from '../receiver/received.ts';

export interface Prepared {
  readonly status: number;
  readonly headers: readonly Header[];
  /** Undefined for an answer that has none. */
  readonly body: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | undefined;
}

const BODILESS = new Set([204, 205, 304]);

/** A well-formed answer as a status, headers and chunks; it always carries its length (refusals.ts says why). */
export function prepare(answer: Answer, self: string, clock: ReceiverClock, over: AbortSignal): Prepared {
  const bodiless = BODILESS.has(answer.status);
  const content = contentOf(bodiless ? { bytes: 0 } : answer.body, answer.gzip && !bodiless);
  const headers = headersOf(answer, content, { now: clock.now(), self });
  const { status } = answer;
  if (content.length === 0) return { status, headers, body: undefined };
  const body = answer.drip === undefined ? content.chunks : dripped(content.chunks, answer.drip, clock, over);
  return { status, headers, body };
}
