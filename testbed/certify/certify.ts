import { isIP } from 'node:net';
import { createAddressGuard } from '../../server/delivery/address-guard.ts';
import { DEFAULT_POLICY } from '../../server/model/policy.ts';
import { createUndiciTransport } from '../../server/delivery/undici-transport.ts';
import { CertifyError } from './certify-error.ts';
import { Connections } from './connections.ts';
import { Courier, type CourierOptions } from './courier.ts';
import { refuseWithoutDispatchers } from './dispatchers.ts';
import { type EventOptions, givenEvent } from './given-event.ts';
import type { Judgment, Scenario } from './scenario.ts';
import { scenariosFor } from './scenarios/all.ts';
import { refuseUnheld } from '../fault-script/units.ts';
import { refuseUndefined, refuseUnknown } from '../receiver/known-names.ts';
import { type SchemeChoice, schemeOf, SCHEMES } from '../schemes/schemes.ts';
import { checkSecret } from '../schemes/secret.ts';
import { unreachable } from './unreachable.ts';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
/** Schemes with which Waybill itself signs. */
const SIGNS_WAYBILL: ReadonlySet<string> = new Set(['waybill', 'standard-webhooks']);
const EVERYWHERE = ['0.0.0.0/0', '::/0'];
/** After a first event that was not accepted: each of the others would only say that one cause again. */
const NOT_JUDGED = { verdict: 'not-judged', words: 'not judged: the first event was not accepted' } as const;

export interface CertifyOptions extends EventOptions {
  readonly url: string;
  readonly secret: string;
  /** How the sender signs; default `waybill`. Senders other than Waybill and Standard Webhooks need an `event`. */
  readonly scheme?: SchemeChoice;
  /** Where the receiver tells how often it handled an event. */
  readonly observer?: string;
  /** Receivers beyond this machine get requests too; default no. */
  readonly allowRemote?: boolean;
  /** Default the five seconds of production. */
  readonly deadlineMs?: number;
  /** Ends with the first failure: enough to know that there is one. Default no. */
  readonly stopAtFailure?: boolean;
  readonly onResult?: (result: Result) => void;
}

export interface Result extends Judgment, Pick<Scenario, 'id' | 'title' | 'expects'> {
  /** What it is about, as a heading. */
  readonly group: string;
  readonly ms: number;
}

const OF_CERTIFY = [
  'url',
  'secret',
  'scheme',
  'observer',
  'allowRemote',
  'deadlineMs',
  'stopAtFailure',
  'onResult',
  'event',
  'idField',
  'headers',
] as const satisfies readonly (keyof CertifyOptions)[];

/**
 * Sends every scenario to a receiver, one after another. Scenarios that break are failures of the receiver. The first is
 * a good event: when it is not accepted nothing else is sent, and the other scenarios are not judged. Rejects with a
 * CertifyError when the receiver, or its observer, cannot be asked at all.
 */
export async function certify(options: CertifyOptions): Promise<readonly Result[]> {
  refuseWithoutDispatchers();
  const sender = senderOf(options);
  checkOptions(options);
  const { url, secret, observer, deadlineMs = DEFAULT_POLICY.deadlineMs } = options;
  const guard = createAddressGuard(options.allowRemote === true ? EVERYWHERE : LOOPBACK);
  const transport = createUndiciTransport(guard, deadlineMs);
  using connections = new Connections(url);
  const parts = { ...sender, url, secret, transport, deadlineMs, connections };
  const courier = new Courier({ ...parts, ...(observer === undefined ? {} : { observer }) });
  const results: Result[] = [];
  try {
    for (const { scenario, group, notAsked } of scenariosFor(courier)) {
      const isAccepted = results[0]?.verdict !== 'failed';
      const known = notAsked === undefined ? (isAccepted ? undefined : NOT_JUDGED) : notAskedBecause(notAsked);
      const result = { group, ...(known === undefined ? await judge(scenario, courier) : unasked(scenario, known)) };
      if (results.length === 0) refuseUnreachable(courier);
      if (results.length === 0 && result.verdict !== 'failed') await refuseBlind(courier);
      results.push(result);
      options.onResult?.(result);
      if (options.stopAtFailure === true && result.verdict === 'failed') break;
    }
  } finally {
    await transport.close();
  }
  return results;
}

function refuseUnreachable({ latest, url }: Courier): void {
  const reason = latest === undefined ? undefined : unreachable(latest, url);
  if (reason !== undefined) throw new CertifyError(reason);
}

/** An observer that tells nothing is no fault of the receiver; one that stops telling later may be. */
async function refuseBlind(courier: Courier): Promise<void> {
  try {
    await courier.handled(courier.message().id);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CertifyError(`${reason}; give another URL, or leave --observer out`, { cause: error });
  }
}

async function judge({ id, title, expects, run }: Scenario, courier: Courier): Promise<Omit<Result, 'group'>> {
  const startedAt = performance.now();
  const judgment = await run(courier).catch((error: unknown): Judgment => {
    return {
      verdict: 'failed',
      words: `it could not be judged: ${error instanceof Error ? error.message : String(error)}`,
    };
  });
  return { id, title, expects, ...judgment, ms: Math.round(performance.now() - startedAt) };
}

function unasked({ id, title, expects }: Scenario, judgment: Judgment): Omit<Result, 'group'> {
  return { id, title, expects, ...judgment, ms: 0 };
}

function notAskedBecause(why: string): Judgment {
  return { verdict: 'not-asked', words: `not judged: ${why}` };
}

function checkOptions({ url, observer, allowRemote = false }: CertifyOptions): void {
  for (const [what, text] of [
    ['url', url],
    ['observer', observer],
  ] as const) {
    if (text === undefined) continue;
    const parsed = URL.parse(text);
    if (parsed === null || !/^https?:$/.test(parsed.protocol))
      throw new CertifyError(`The ${what} ${JSON.stringify(text)} is no http or https URL`);
    if (!allowRemote && !isLoopback(parsed.hostname))
      throw new CertifyError(
        `The ${what} ${parsed.origin} is not on this machine; allow that with --allow-remote, and only for receivers of your own`,
      );
  }
}

/** Whose webhooks are sent. What is wrong with that is said in errors of certify, as all that is its caller's. */
function senderOf(options: CertifyOptions): Pick<CourierOptions, 'scheme' | 'given'> {
  try {
    refuseUnknown('certify', options, OF_CERTIFY);
    refuseUndefined('', options, ['scheme', 'observer', 'event', 'idField', 'headers']);
    refuseUnheld('deadlineMs', options.deadlineMs);
    const scheme = schemeOf(options.scheme);
    const given = givenEvent(options, scheme);
    if (given === undefined && !SIGNS_WAYBILL.has(scheme.name))
      throw new TypeError(
        `Events of ${scheme.title} are not known here; give one that the receiver accepts, as event (--event <file>)`,
      );
    // Waybill signs with any text: a destination may have one that is none of the standard.
    const signing = given === undefined ? SCHEMES.waybill : scheme;
    checkSecret('The secret', options.secret, signing, 'sign', 'give the shared secret of the receiver');
    return { scheme, given };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CertifyError(error.message.replace(/^The option /, 'The '), { cause: error });
  }
}

function isLoopback(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return (
    bare === 'localhost' ||
    bare.endsWith('.localhost') ||
    bare === '::1' ||
    (isIP(bare) === 4 && bare.startsWith('127.'))
  );
}
