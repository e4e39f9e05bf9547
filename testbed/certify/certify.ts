import { isIP } from 'node:net';
import { createAddressGuard } from '../../server/delivery/address-guard.ts';
import { DEFAULT_POLICY } from '../../server/delivery/policy.ts';
import { createUndiciTransport } from '../../server/delivery/undici-transport.ts';
import { CertifyError } from './certify-error.ts';
import { Connections } from './connections.ts';
import { Courier } from './courier.ts';
import type { Judgement, Scenario } from './scenario.ts';
import { GROUPS } from './scenarios/all.ts';
import { unreachable } from './unreachable.ts';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const EVERYWHERE = ['0.0.0.0/0', '::/0'];
/** After so many scenarios without any answer the rest would only be waited for. */
const UNANSWERED = 3;

export interface CertifyOptions {
  readonly url: string;
  readonly secret: string;
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

export interface Result extends Judgement, Pick<Scenario, 'id' | 'title' | 'expects'> {
  /** What it is about, as a heading. */
  readonly group: string;
  readonly ms: number;
}

/**
 * Sends every scenario to a receiver, one after another. Scenarios that break are failures of the receiver. Rejects with
 * a CertifyError when it cannot be reached at all; ends early when it answers nothing.
 */
export async function certify(options: CertifyOptions): Promise<readonly Result[]> {
  checkOptions(options);
  const { url, secret, observer, deadlineMs = DEFAULT_POLICY.deadlineMs } = options;
  const guard = createAddressGuard(options.allowRemote === true ? EVERYWHERE : LOOPBACK);
  const transport = createUndiciTransport(guard, deadlineMs);
  using connections = new Connections(url);
  const parts = { url, secret, transport, deadlineMs, connections };
  const courier = new Courier({ ...parts, ...(observer === undefined ? {} : { observer }) });
  const results: Result[] = [];
  try {
    for (const { scenario, group } of grouped()) {
      const result = { group, ...(await judge(scenario, courier)) };
      if (results.length === 0) refuseUnreachable(courier);
      results.push(result);
      options.onResult?.(result);
      if (options.stopAtFailure === true && result.verdict === 'failed') break;
      if (results.length === UNANSWERED && !courier.hasAnswered) break;
    }
  } finally {
    await transport.close();
  }
  return results;
}

export function hasPassed(results: readonly Result[]): boolean {
  return results.length > 0 && results.every(({ verdict }) => verdict !== 'failed');
}

/** How many scenarios there are. */
export const SCENARIO_COUNT = GROUPS.reduce((sum, { scenarios }) => sum + scenarios.length, 0);

function refuseUnreachable({ latest, url }: Courier): void {
  const reason = latest === undefined ? undefined : unreachable(latest, url);
  if (reason !== undefined) throw new CertifyError(reason);
}

function grouped(): readonly { readonly scenario: Scenario; readonly group: string }[] {
  return GROUPS.flatMap(({ title, scenarios }) => scenarios.map((scenario) => ({ scenario, group: title })));
}

async function judge({ id, title, expects, run }: Scenario, courier: Courier): Promise<Omit<Result, 'group'>> {
  const startedAt = performance.now();
  const judgement = await run(courier).catch((error: unknown): Judgement => {
    return {
      verdict: 'failed',
      words: `it could not be judged: ${error instanceof Error ? error.message : String(error)}`,
    };
  });
  return { id, title, expects, ...judgement, ms: Math.round(performance.now() - startedAt) };
}

function checkOptions({ url, secret, observer, allowRemote = false }: CertifyOptions): void {
  if (secret === '') throw new CertifyError('The secret is empty; give the shared secret of the receiver');
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

function isLoopback(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return (
    bare === 'localhost' ||
    bare.endsWith('.localhost') ||
    bare === '::1' ||
    (isIP(bare) === 4 && bare.startsWith('127.'))
  );
}
