import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { anyInput, type Input } from './inputs.ts';
import { seededRandom } from '../../testbed/simulation/seeded-random.ts';
import type { Reply, Target } from './target.ts';

export interface Fuzzing {
  readonly seed: number;
  readonly inputs: number;
}

export interface Findings {
  /** How many inputs were answered with each status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** What may never be, with the number of the input: the same seed gives it again. */
  readonly faults: readonly string[];
  /** What the heap holds more after all inputs than after the first tenth of them, in bytes. */
  readonly heapGrowth: number;
}

/** Sent at once; enough to keep the server busy. */
const AT_ONCE = 32;

/** Every answer that a request may have; 429 is none here, since the limits are above what is sent at once. */
const ALLOWED: ReadonlySet<number> = new Set([200, 400, 401, 404, 413]);

export async function fuzz(target: Target, { seed, inputs }: Fuzzing): Promise<Findings> {
  const random = seededRandom(seed);
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  let [sent, settled] = [0, 0];
  const sendOn = async (until: number): Promise<void> => {
    while (sent < until) {
      const number = sent++;
      const input = anyInput(random);
      const reply = await target.send(input).catch((error: unknown) => String(error));
      if (typeof reply !== 'string') statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      const fault = typeof reply === 'string' ? reply : faultOf(reply);
      if (fault !== undefined) faults.push(`seed ${seed}, input ${number}: ${fault}, for ${shown(input)}`);
    }
  };
  const sendUntil = (until: number): Promise<unknown> =>
    Promise.all(Array.from({ length: AT_ONCE }, () => sendOn(until)));
  await sendUntil(Math.ceil(inputs / 10));
  settled = heapInUse();
  await sendUntil(inputs);
  return { statuses, faults: [...faults, ...pollution()], heapGrowth: heapInUse() - settled };
}

function faultOf({ status, body }: Reply): string | undefined {
  if (!ALLOWED.has(status)) return `status ${status}`;
  if (body.startsWith('GIF89a')) return undefined;
  try {
    const answer: Readonly<Record<string, unknown>> = JSON.parse(body);
    const isRight =
      status === 200 ? answer['success'] === true || 'integrations' in answer : typeof answer['error'] === 'string';
    return isRight ? undefined : `status ${status} with ${body.slice(0, 100)}`;
  } catch {
    return `status ${status} without JSON`;
  }
}

function shown({ path, headers, body }: Input): string {
  return `${path} ${headers['content-encoding'] ?? ''} ${body.subarray(0, 200).toString('base64')}`;
}

/** A key that an input put into the prototype of all objects would be seen in every object. */
function pollution(): string[] {
  const seen: string[] = [];
  for (const key in {}) seen.push(`every object now has a key ${JSON.stringify(key)}`);
  return seen;
}

function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}
