import { certify, type CertifyOptions, type Result } from '../../certify/certify.ts';
import { FLAWED_RECEIVERS } from './flawed-receivers.ts';
import { receiver, SECRET } from './receivers.ts';
import { serve } from './served.ts';

/** Receivers that take seconds for each answer: of these one failure is enough. */
const SLOW = new Set(['works before it answers', 'answers 2xx late', 'takes one at a time']);
const AT_ONCE = 6;

export interface Certified {
  readonly name: string;
  readonly results: readonly Result[];
  /** Ids of the scenarios that it failed. */
  readonly failed: readonly string[];
}

/** Every flawed receiver with all scenarios that it failed, some side by side. */
export async function certifyFlawed(): Promise<readonly Certified[]> {
  const waiting = Object.keys(FLAWED_RECEIVERS);
  const certified: Certified[] = [];
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) certified.push(await certifyOne(name));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return certified;
}

async function certifyOne(name: string): Promise<Certified> {
  const make = FLAWED_RECEIVERS[name];
  if (make === undefined) throw new Error(`There is no receiver that ${name}`);
  await using served = await serve(receiver(make));
  const quick: Partial<CertifyOptions> = SLOW.has(name) ? { deadlineMs: 2_000, stopAtFailure: true } : {};
  const results = await certify({ url: `${served.url}/hooks`, secret: SECRET, observer: served.url, ...quick });
  return { name, results, failed: results.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id) };
}
