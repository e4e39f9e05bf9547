import type { Event } from '../../server/model/message.ts';
import type { Failure } from '../../server/ports/transport.ts';

/** What a step can be for: the `type` of a webhook body (S 6). */
export const EVENT_TYPES = [
  'page',
  'screen',
  'identify',
  'track',
  'alias',
  'group',
  'delete',
] as const satisfies readonly Event['type'][];
export type EventType = (typeof EVENT_TYPES)[number];

/**
 * How far an exchange gets: `connect` nothing of the request was read · `upload` its headers were read, its body was
 * not · `request` all of it was read · `headers` the answer's head was sent · `body` half of the answer's body too ·
 * `answer` all of the answer, on a connection that promised to stay open.
 */
export const STAGES = ['connect', 'upload', 'request', 'headers', 'body', 'answer'] as const;
export type Stage = (typeof STAGES)[number];

/** Answers that are no HTTP. Each is followed by the end of the connection. */
export const MALFORMATIONS = [
  'status-line',
  'http-0.9',
  'header',
  'length-over',
  'length-under',
  'length-twice',
  'chunk',
  'garbage',
] as const;
export type Malformation = (typeof MALFORMATIONS)[number];

/** Faults before there is a connection, in the words of the attempt log. Only in-process back-ends can play them. */
export const UNREACHABLES = ['dns_error', 'connect_refused', 'connect_timeout'] as const satisfies readonly Failure[];
export type Unreachable = (typeof UNREACHABLES)[number];

/** A number and a unit, whole milliseconds; normal form is a whole number of the largest unit that fits: `90s`, `2m`. */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h'}`;
/** 1 KB is 1024 bytes. */
export type Size = `${number}${'B' | 'KB' | 'MB' | 'GB'}`;
/** More than 0 %, less than 100 %. */
export type Percent = `${number}%`;

/** Fixed, uniform between two durations, or lognormal with `sigma` the standard deviation of the logarithm. */
export type Delay =
  | Duration
  | { readonly uniform: readonly [Duration, Duration] }
  | { readonly lognormal: { readonly median: Duration; readonly sigma: number } };

export interface Drip {
  readonly bytes: number;
  readonly every: Duration;
}

/** Every word of the language, with what it takes in the data form. */
export interface Words {
  /** Only for events of these types. An event sees only the steps that are for it. */
  readonly on: readonly EventType[];
  /** Taken with this chance, otherwise passed over; `times` counts only when it is taken. */
  readonly chance: Percent;
  /** Another seed gives this step other chances and delays; they are the same in every run. */
  readonly seed: number;
  /** How many requests it answers; default 1. */
  readonly times: number | 'always';
  /** Waits before it does the rest. */
  readonly delay: Delay;
  /** 200 to 599; default 200. */
  readonly status: number;
  /** The `Location` of a redirect; `self` is the receiver's own URL. */
  readonly to: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `Retry-After` in whole seconds. */
  readonly retryAfter: Duration;
  /** `Retry-After` as the HTTP date that is this far away. */
  readonly retryAfterDate: Duration;
  readonly body: string;
  /** A body of this many bytes of filler, or one that never ends. */
  readonly size: Size | 'endless';
  /** The body is compressed: with `size`, a bomb that inflates to it. */
  readonly gzip: true;
  /** One header with this many bytes of filler. */
  readonly headerSize: Size;
  /** Informational answers before the real one. */
  readonly interim: { readonly status: number; readonly count: number };
  /** The body comes in bits; without `body` or `size` it never ends. */
  readonly drip: Drip;
  readonly dripHeaders: Drip;
  /** Keeps the connection, and sends nothing more. */
  readonly silence: Stage;
  /** Ends the connection with a TCP reset. */
  readonly reset: Stage;
  /** Ends the connection in the polite way. */
  readonly close: Stage;
  readonly malformed: Malformation;
  readonly unreachable: Unreachable;
}
export type Word = keyof Words;

type When = 'on' | 'chance' | 'seed' | 'times' | 'delay';
type Answering =
  | 'status'
  | 'to'
  | 'headers'
  | 'retryAfter'
  | 'retryAfterDate'
  | 'body'
  | 'size'
  | 'gzip'
  | 'headerSize'
  | 'interim'
  | 'drip'
  | 'dripHeaders';

type StepOf<Main extends Word, Also extends Word> = Readonly<
  Required<Pick<Words, Main>> & Partial<Pick<Words, Also>> & { [K in Exclude<Word, Main | Also>]?: never }
>;

/** A well-formed answer: `{}` is a 200, `{ delay: '6s' }` a late one. */
export type AnswerStep = StepOf<never, When | Answering>;
/** A well-formed beginning that stops at a stage; `status` matters from `headers` on. */
export type StopStep =
  | StepOf<'silence', When | 'status'>
  | StepOf<'reset', When | 'status'>
  | StepOf<'close', When | 'status'>;
export type MalformedStep = StepOf<'malformed', When>;
export type UnreachableStep = StepOf<'unreachable', When>;

/** What a simulated endpoint does for one request, or for `times` of them. */
export type Step = AnswerStep | StopStep | MalformedStep | UnreachableStep;

/**
 * What a simulated endpoint does, request by request (D-52): each takes the first step that is for it and has times
 * left. The last step that is for an event repeats when the script is over; what no step is for gets a plain 200.
 */
export type Script = readonly Step[];
