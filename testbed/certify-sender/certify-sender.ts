import { randomBytes } from 'node:crypto';
import { CertifyError } from '../certify/certify-error.ts';
import type { Result } from '../certify/certify.ts';
import type { Judgment } from '../certify/scenario.ts';
import { headerOf } from '../receiver/received.ts';
import type { ReceiverClock } from '../receiver/receiver-clock.ts';
import { refuseUnheld } from '../fault-script/units.ts';
import { refuseUndefined, refuseUnknown } from '../receiver/known-names.ts';
import { systemClock } from '../receiver/system-clock.ts';
import { type SchemeChoice, schemeOf } from '../schemes/schemes.ts';
import { checkSecret } from '../schemes/secret.ts';
import type { Identity } from '../tls/certificate.ts';
import { Desk } from './desk.ts';
import { idPlaces } from './identity.ts';
import type { SenderScenario } from './scenario.ts';
import { SENDER_GROUPS } from './scenarios/all.ts';
import { SCHEDULE_ID } from './scenarios/retries.ts';
import type { Sent } from './sent.ts';
import { openSocketStand } from './socket-stand.ts';
import type { Stand } from './stand.ts';
import { Times } from './times.ts';
import { Trial, type Trigger } from './trial.ts';

export interface CertifySenderOptions {
  /** Makes the sender send one event; the mark in it tells events apart, where the trigger can carry it into the event. */
  readonly trigger: Trigger;
  /** The time that all may take, in milliseconds; default 10 minutes. */
  readonly budgetMs?: number;
  /** The sender promises to try a failed event again within this time: without it, a retry that does not come is not judged. */
  readonly retryWithinMs?: number;
  /** The sender promises to send at most so many requests in a second, evenly: without it, its rate is not judged. */
  readonly maxPerSecond?: number;
  /** The sender promises to send events one after the other, in the order in which they were asked for. Default no: that is not judged. */
  readonly ordered?: boolean;
  /** How the sender signs; default `waybill`. Signatures are judged when there is a secret. */
  readonly scheme?: SchemeChoice;
  readonly secret?: string;
  /** The header, or the field of a JSON body, that says which event it is; default one of the common ones. */
  readonly idField?: string;
  /** Default 127.0.0.1 and a free port. */
  readonly host?: string;
  readonly port?: number;
  /** Listens with HTTPS, and shows wrong certificates too; with this authority, or one of its own. Default no. */
  readonly tls?: boolean | Identity;
  /** Called when it listens, before anything is asked of the sender. */
  readonly onListening?: (stand: Pick<Stand, 'url' | 'tls'>) => Promise<void> | void;
  readonly onResult?: (result: Result) => void;
}

/** What was found, and what was seen. */
export interface SenderReport {
  readonly url: string;
  readonly results: readonly Result[];
  /** The attempts of the event that failed on purpose, in order. */
  readonly schedule: readonly Sent[];
  /** How the sender names itself; empty when it does not. */
  readonly userAgent: string;
}

/** What decides what is judged. */
const OF_JUDGMENT = [
  'retryWithinMs',
  'maxPerSecond',
  'ordered',
  'scheme',
  'secret',
  'idField',
  'tls',
] as const satisfies readonly (keyof CertifySenderOptions)[];
const OF_RUN = [
  'trigger',
  'budgetMs',
  'host',
  'port',
  'onListening',
  'onResult',
] as const satisfies readonly (keyof CertifySenderOptions)[];

/** Where the requests come to, and the time that passes meanwhile: other than sockets and this machine's in tests. */
export interface SenderWorld {
  readonly clock: ReceiverClock;
  readonly open: (desk: Desk) => Promise<Stand>;
}

const BUDGET_MS = 600_000;
const FIRST_MISSING = { verdict: 'not-judged', words: 'not judged: the first event did not arrive' } as const;
const NO_TIME = { verdict: 'skipped', words: 'not judged: the budget was over' } as const;

/**
 * Runs every scenario against a sender, one after another, on one address. Rejects with a CertifyError when the sender
 * cannot be asked for an event at all, and with a ListenError.
 */
export async function certifySender(options: CertifySenderOptions): Promise<SenderReport> {
  const { host = '127.0.0.1', port = 0, tls = false } = options;
  const clock = systemClock;
  return certifySenderIn({ clock, open: async (desk) => openSocketStand(desk, { host, port, tls, clock }) }, options);
}

export async function certifySenderIn(world: SenderWorld, options: CertifySenderOptions): Promise<SenderReport> {
  const { trigger, budgetMs = BUDGET_MS, retryWithinMs, secret, idField, maxPerSecond, ordered = false } = options;
  checkNames(options);
  checkRate(maxPerSecond);
  refuseUnheld('budgetMs', budgetMs);
  refuseUnheld('retryWithinMs', retryWithinMs);
  const { clock } = world;
  const scheme = options.scheme === undefined ? undefined : schemeOf(options.scheme);
  if (secret !== undefined)
    checkSecret('The option secret', secret, scheme ?? schemeOf(), 'check', 'leave it out to judge no signatures');
  const desk = new Desk({ run: randomBytes(3).toString('hex'), ids: idPlaces(idField, scheme) });
  await using stand = await world.open(desk);
  await options.onListening?.(stand);
  const times = new Times(budgetMs, retryWithinMs);
  const endsAt = clock.now() + budgetMs;
  const promised = { maxPerSecond, isOrdered: ordered };
  const parts = { clock, desk, stand, trigger, times, promised, endsAt, scheme: scheme ?? schemeOf(), secret };
  const trial = new Trial(parts);
  const results: Result[] = [];
  for (const { title: group, scenarios, inTheEnd } of SENDER_GROUPS) {
    for (const scenario of scenarios) {
      const known = results[0]?.verdict === 'failed' ? FIRST_MISSING : undefined;
      const judge = inTheEnd === true ? scenario.run : async () => asked(scenario, trial);
      const result = { group, ...(await resultOf(scenario, trial, known, judge)) };
      results.push(result);
      options.onResult?.(result);
    }
  }
  const [first] = desk.sent;
  const userAgent = first === undefined ? '' : (headerOf(first, 'user-agent') ?? '');
  return { url: stand.url, results, schedule: trial.eventsOf(SCHEDULE_ID)[0]?.attempts ?? [], userAgent };
}

/** Throws for a name that is no option, and for what would not be judged because it is undefined. */
function checkNames(options: CertifySenderOptions): void {
  refuseUnknown('certifySender', options, [...OF_JUDGMENT, ...OF_RUN]);
  refuseUndefined('', options, OF_JUDGMENT);
}

function checkRate(maxPerSecond: number | undefined): void {
  if (maxPerSecond === undefined || (Number.isFinite(maxPerSecond) && maxPerSecond > 0)) return;
  throw new TypeError(`The option maxPerSecond is ${maxPerSecond}; give a number above 0`);
}

async function resultOf(
  { id, title, expects }: SenderScenario,
  trial: Trial,
  known: Judgment | undefined,
  judge: SenderScenario['run'],
): Promise<Omit<Result, 'group'>> {
  const startedAt = trial.now();
  const judgment = known ?? (await judge(trial));
  return { id, title, expects, ...judgment, ms: Math.round(trial.now() - startedAt) };
}

/** A scenario that asks for events of its own. */
async function asked({ id, run, hasReserve }: SenderScenario, trial: Trial): Promise<Judgment> {
  if (hasReserve === true) trial.useReserve();
  if (trial.leftMs === 0) return NO_TIME;
  trial.begin(id);
  try {
    const judgment = await run(trial);
    // That nothing came was looked at for too short a time.
    return trial.leftMs === 0 && judgment.verdict === 'passed' ? NO_TIME : judgment;
  } catch (error) {
    // Who cannot be asked for the first event cannot be asked at all.
    if (!(error instanceof CertifyError) || trial.desk.events.length === 0) throw error;
    return { verdict: 'skipped', words: `not judged: ${error.message}` };
  }
}
