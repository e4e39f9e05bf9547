import { type Outcome, classOf, outcomeOf } from '../../../server/model/outcome.ts';
import type { PostResult } from '../../../server/ports/transport.ts';
import type { Asked } from '../../certify-sender/trial.ts';
import { STANDARD_WEBHOOKS } from '../../schemes/standard-webhooks.ts';
import type { SimulatedTransport } from '../../simulation/simulated-transport.ts';
import type { VirtualClock } from '../../simulation/virtual-clock.ts';
import type { Manners } from './virtual-stand.ts';

export const MODEL_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ATTEMPTS = 9;
const HOOK = 'https://sender.test/hook';
const NEVER = new AbortController().signal;

/** An event as it goes out. */
export interface Outgoing {
  readonly id: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request of the model: which event, which attempt of it, and when. */
export interface Moment {
  readonly attempt: number;
  readonly now: number;
  /** When its first attempt was made. */
  readonly firstAt: number;
}

interface Signed {
  readonly body?: string;
  readonly secret?: string;
  readonly at?: number;
}

/** A limit of requests, evenly. */
export interface Pace {
  readonly perSecond: number;
  /** So many at once after a pause; default one. */
  readonly saved?: number;
  /** Whether a request is not held back. */
  readonly skips?: (attempt: number, failures: number) => boolean;
}

/** What a sender does otherwise than it ought to. */
export interface Flaw {
  readonly manners?: Manners;
  readonly deadlineMs?: number;
  /** Whether an outcome is the end of the event; undefined for as it ought to be. */
  readonly isOver?: (outcome: Outcome, result: PostResult) => boolean | undefined;
  /** In the place of the right wait. */
  readonly waitMs?: (asked: { readonly ms: number; readonly isDate: boolean }, rightMs: number) => number;
  /** Before it is signed. */
  readonly event?: (event: Outgoing, moment: Moment) => Outgoing;
  /** After it was signed. */
  readonly request?: (request: Outgoing, moment: Moment) => Outgoing;
  /** What it signs, and when. */
  readonly signed?: (body: string, moment: Moment) => Signed;
  /** How often each attempt goes out. */
  readonly copies?: number;
  /** Tries again so long after the beginning of an attempt, whether it has ended or not. */
  readonly hedgeMs?: number;
  /** Each event waits for the one before: for the end of all its attempts, or of its first one, or for the beginning of that. */
  readonly queue?: 'event' | 'attempt' | 'start';
  readonly pace?: Pace;
  /** How long the event of that number takes to be asked for. */
  readonly askMs?: (number: number) => number;
  /** How long the event of that number, from 1, takes from being asked for to its first request, as with a process for each. */
  readonly startMs?: (number: number) => number;
  /** Whether an event is forgotten that is asked for while others are under way, or after so many failures. */
  readonly forgets?: (underWay: number, failures: number) => boolean;
}

/** A plain sender of webhooks, correct but for its flaw: waits of 5 s and doubling, nine attempts, a deadline of 10 s. */
export class ModelSender {
  readonly #clock: VirtualClock;
  readonly #transport: SimulatedTransport;
  readonly #flaw: Flaw;
  #count = 0;
  #underWay = 0;
  #failures = 0;
  /** When the next request may go out. */
  #freeAt = 0;
  /** What the next event waits for, where there is a queue. */
  #before: Promise<void> = Promise.resolve();

  constructor(clock: VirtualClock, transport: SimulatedTransport, flaw: Flaw) {
    this.#clock = clock;
    this.#transport = transport;
    this.#flaw = flaw;
  }

  readonly trigger = async ({ mark, number: asked }: Asked): Promise<void> => {
    const { queue, startMs, askMs } = this.#flaw;
    if (askMs !== undefined) await this.#clock.sleep(askMs(asked));
    if (this.#flaw.forgets?.(this.#underWay, this.#failures) === true) return;
    this.#count += 1;
    const number = this.#count;
    const start = async (): Promise<void> => {
      if (startMs !== undefined) await this.#clock.sleep(startMs(number));
      await this.#deliver(`evt_${number}`, mark);
    };
    if (queue === undefined) void start();
    else this.#before = this.#before.then(start);
  };

  /** Resolves when the next event of the queue may begin. */
  async #deliver(id: string, mark: string): Promise<void> {
    const body = JSON.stringify({ id, type: 'order.created', data: { mark } });
    this.#underWay += 1;
    const firstAt = this.#clock.now();
    const first = this.#attempt({ id, body, headers: {} }, 1, firstAt);
    const rest = first.then(async (wait) => this.#goOn({ id, body, headers: {} }, wait, firstAt));
    void rest.then(() => {
      this.#underWay -= 1;
    });
    const { queue } = this.#flaw;
    if (queue !== 'start') await (queue === 'attempt' ? first : rest);
  }

  /** Resolves when the limit lets a request through. */
  async #turn(attempt: number): Promise<void> {
    const { pace } = this.#flaw;
    if (pace === undefined || pace.skips?.(attempt, this.#failures) === true) return;
    const { perSecond, saved = 1 } = pace;
    const [gap, now] = [1_000 / perSecond, this.#clock.now()];
    const slot = Math.max(this.#freeAt, now - (saved - 1) * gap);
    this.#freeAt = slot + gap;
    if (slot > now) await this.#clock.sleep(slot - now);
  }

  async #goOn(event: Outgoing, firstWait: number | undefined, firstAt: number): Promise<void> {
    let wait = firstWait;
    for (let attempt = 2; attempt <= ATTEMPTS && wait !== undefined; attempt += 1) {
      await this.#clock.sleep(wait);
      wait = await this.#attempt(event, attempt, firstAt);
    }
  }

  /** Answers how long to wait for the next attempt; undefined when there is none. */
  async #attempt(event: Outgoing, attempt: number, firstAt: number): Promise<number | undefined> {
    const { copies = 1, hedgeMs } = this.#flaw;
    await this.#turn(attempt);
    const posts = Array.from({ length: copies }, async () =>
      this.#post(event, { attempt, now: this.#clock.now(), firstAt }),
    );
    const all = Promise.all(posts).then(([result]) => this.#waitAfter(attempt, result));
    return hedgeMs === undefined ? all : Promise.race([all, this.#clock.sleep(hedgeMs).then(() => 0)]);
  }

  async #post(plain: Outgoing, moment: Moment): Promise<PostResult> {
    const { event = (same) => same, request = (same) => same, signed, deadlineMs = 10_000 } = this.#flaw;
    const made = event(plain, moment);
    const twisted: Signed = signed?.(made.body, moment) ?? {};
    const { body = made.body, secret = MODEL_SECRET, at = moment.now } = twisted;
    const signature = STANDARD_WEBHOOKS.sign(
      { url: HOOK, body: bytesOf(body), contentType: 'application/json', at, id: made.id },
      secret,
    );
    const headers = { 'Content-Type': 'application/json', 'User-Agent': 'Model/1.0', ...signature.headers };
    const out = request({ ...made, headers }, moment);
    return this.#transport.post(
      { workspace: 'workspaces/main', url: HOOK, headers: out.headers, body: bytesOf(out.body), deadlineMs },
      NEVER,
    );
  }

  #waitAfter(attempt: number, result: PostResult | undefined): number | undefined {
    if (result === undefined) return undefined;
    const { isOver, waitMs = ({ ms }, rightMs) => Math.max(ms, rightMs) } = this.#flaw;
    const outcome = outcomeOf(result);
    if (outcome !== 'delivered') this.#failures += 1;
    if (isOver?.(outcome, result) ?? classOf(outcome) !== 'temporary') return undefined;
    const text = result.kind === 'answered' ? result.retryAfter : undefined;
    const asked = { ms: retryAfterIn(text, this.#clock.now()), isDate: text?.endsWith('GMT') === true };
    return waitMs(asked, 5_000 * 2 ** (attempt - 1));
  }
}

function retryAfterIn(text: string | undefined, now: number): number {
  if (text === undefined) return 0;
  return /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text));
}
