import type { Malformation, Size, Stage, Step, StopStep, Unreachable, Words } from './step.ts';
import { byteCount, milliseconds } from './units.ts';

/** What a back-end has to do, with every default filled in and every chance decided. Durations are milliseconds. */
export type Behavior = Answer | Stop | Malformed | OutOfReach;

export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `Location`; `self` is the back-end's own URL. */
  readonly to?: string;
  readonly retryAfter?: { readonly form: 'seconds' | 'date'; readonly ms: number };
  readonly body: Filling;
  readonly gzip: boolean;
  /** Bytes of filler in one extra header. */
  readonly headerFill: number;
  readonly interim: { readonly status: number; readonly count: number };
  readonly drip?: Trickle;
  readonly dripHeaders?: Trickle;
}

/** A body: text that was written in the script, or as many bytes of filler. Infinity never ends. */
export type Filling = { readonly text: string } | { readonly bytes: number };

export interface Trickle {
  readonly bytes: number;
  readonly everyMs: number;
}

export interface Stop {
  readonly kind: 'stop';
  readonly manner: 'silence' | 'reset' | 'close';
  readonly at: Stage;
  readonly status: number;
}

export interface Malformed {
  readonly kind: 'malformed';
  readonly how: Malformation;
}

export interface OutOfReach {
  readonly kind: 'unreachable';
  readonly how: Unreachable;
}

export function behaviorOf(step: Step): Behavior {
  if (step.malformed !== undefined) return { kind: 'malformed', how: step.malformed };
  if (step.unreachable !== undefined) return { kind: 'unreachable', how: step.unreachable };
  const status = step.status ?? 200;
  if (step.silence !== undefined) return { kind: 'stop', manner: 'silence', at: step.silence, status };
  if (step.reset !== undefined) return { kind: 'stop', manner: 'reset', at: step.reset, status };
  if (step.close !== undefined) return { kind: 'stop', manner: 'close', at: step.close, status };
  return answerOf(step, status);
}

function answerOf(step: Exclude<Step, StopStep>, status: number): Answer {
  return {
    kind: 'answer',
    status,
    headers: step.headers ?? {},
    ...(step.to === undefined ? {} : { to: step.to }),
    ...retryAfter(step),
    body: filling(step),
    gzip: step.gzip ?? false,
    headerFill: step.headerSize === undefined ? 0 : byteCount(step.headerSize),
    interim: step.interim ?? { status: 100, count: 0 },
    ...(step.drip === undefined ? {} : { drip: trickle(step.drip) }),
    ...(step.dripHeaders === undefined ? {} : { dripHeaders: trickle(step.dripHeaders) }),
  };
}

function retryAfter({ retryAfter: seconds, retryAfterDate: date }: Step): Pick<Answer, 'retryAfter'> {
  if (seconds !== undefined) return { retryAfter: { form: 'seconds', ms: milliseconds(seconds) } };
  if (date !== undefined) return { retryAfter: { form: 'date', ms: milliseconds(date) } };
  return {};
}

/** A drip with nothing to drip never ends. */
function filling({ body, size, drip }: Step): Filling {
  if (body !== undefined) return { text: body };
  if (size !== undefined) return { bytes: sizeOf(size) };
  return { bytes: drip === undefined ? 0 : Number.POSITIVE_INFINITY };
}

function sizeOf(size: Size | 'endless'): number {
  return size === 'endless' ? Number.POSITIVE_INFINITY : byteCount(size);
}

function trickle({ bytes, every }: Words['drip']): Trickle {
  return { bytes, everyMs: milliseconds(every) };
}
