import type { Failure, PostResult } from '../../server/ports/transport.ts';
import type { Answer, Behavior, Stop } from '../fault-script/behavior.ts';
import type { Malformation } from '../fault-script/step.ts';
import type { SimulatedAnswer } from './simulated-transport.ts';

/** What a sender's HTTP parser stands; the parity suite compares it with real sockets. */
const HEAD_LIMIT = 16_384;
const INTERIM_LIMIT = 32;
/** Malformed behind a head that was whole: the status had decided by then (D-24). */
const HEAD_IS_WELL: ReadonlySet<Malformation> = new Set<Malformation>(['length-over', 'length-under', 'chunk']);

export interface Moment {
  /** Milliseconds since the epoch, by the simulation's clock. */
  readonly now: number;
  readonly delayMs: number;
  readonly deadlineMs: number;
}

/** What the engine's Transport would tell of a behavior, without a network. Nothing is refused. */
export function simulateBehavior(behavior: Behavior, moment: Moment): SimulatedAnswer {
  switch (behavior.kind) {
    case 'answer':
      return answer(behavior, moment);
    case 'stop':
      return stop(behavior, moment);
    case 'malformed': {
      const isWell = HEAD_IS_WELL.has(behavior.how);
      return { afterMs: moment.delayMs, result: isWell ? answered(200) : failed('protocol_error') };
    }
    case 'unreachable': {
      // A packet into a black hole is given up just before the deadline would strike.
      const afterMs = behavior.how === 'connect_timeout' ? moment.deadlineMs - 1 : moment.delayMs;
      return { afterMs, result: failed(behavior.how) };
    }
  }
}

function answer(said: Answer, { now, delayMs, deadlineMs }: Moment): SimulatedAnswer {
  if (said.dripHeaders !== undefined) return { afterMs: deadlineMs, result: failed('first_byte_timeout') };
  const broken = said.headerFill > HEAD_LIMIT || said.interim.count > INTERIM_LIMIT;
  if (broken) return { afterMs: delayMs, result: failed('protocol_error') };
  return { afterMs: delayMs, result: { ...answered(said.status), ...retryAfter(said, now + delayMs) } };
}

function retryAfter({ retryAfter: asked }: Answer, now: number): { retryAfter?: string } {
  if (asked === undefined) return {};
  if (asked.form === 'seconds') return { retryAfter: String(asked.ms / 1000) };
  return { retryAfter: new Date(Math.ceil((now + asked.ms) / 1000) * 1000).toUTCString() };
}

function stop({ manner, at, status }: Stop, { delayMs, deadlineMs }: Moment): SimulatedAnswer {
  const hasHead = at === 'headers' || at === 'body' || at === 'answer';
  if (!hasHead && manner === 'silence') return { afterMs: deadlineMs, result: failed('first_byte_timeout') };
  if (!hasHead) return { afterMs: delayMs, result: failed('reset') };
  // The status has decided, and still the body is waited for.
  const held = manner === 'silence' ? Math.max(delayMs, deadlineMs - 1) : delayMs;
  return { afterMs: held, result: answered(status) };
}

function answered(status: number): Extract<PostResult, { readonly kind: 'answered' }> {
  return { kind: 'answered', status, excerpt: '' };
}

function failed(failure: Failure): PostResult {
  return { kind: 'failed', failure, detail: '' };
}
