/**
 * Sends numbered events to the router, in batches that go to its sources in turn, and tells when each was sent and when it
 * was answered 200. Run as a process of its own, with the router's URL.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { monotonicMs } from '../monotonic.ts';
import { numberedCall } from '../numbered-event.ts';
import type { Load, Sending } from './load-process.ts';

const [url = ''] = process.argv.slice(2);
/** As an SDK does with what was not taken. */
const TRY_AGAIN_MS = 200;
/** A router that refuses a batch for longer will not take it; restarts and failovers are over by then. */
const REFUSED_MS = 300_000;
const headers = { 'content-type': 'application/json' };
const pool = new Pool(url, { connections: 64, pipelining: 1, allowH2: false });
process.on('disconnect', () => process.exit(0));
process.on('message', (load: Load) => {
  const under = 'perSecond' in load.pace ? paced(load, load.pace.perSecond) : flood(load, load.pace.connections);
  void under.then((sending) => process.send?.(sending));
});
process.send?.({ ready: true });

/** Each connection sends its next batch once the one before is answered. */
async function flood(load: Load, connections: number): Promise<Sending> {
  const sending = newSending(load);
  const batches = load.events / load.batch;
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let batch = next++; batch < batches; batch = next++) await send(load, batch, monotonicMs(), sending);
    }),
  );
  return sending;
}

/** Each batch is sent at its time, whatever became of those before. */
async function paced(load: Load, perSecond: number): Promise<Sending> {
  const sending = newSending(load);
  const batches = load.events / load.batch;
  const between = (1_000 * load.batch) / perSecond;
  const start = monotonicMs();
  const answers: Promise<void>[] = [];
  for (let batch = 0; batch < batches; batch += 1) {
    const due = start + batch * between;
    const early = due - monotonicMs();
    if (early > 0) await wait(early);
    answers.push(send(load, batch, due, sending));
  }
  await Promise.all(answers);
  return sending;
}

function newSending({ events }: Load): Sending {
  return { sentAt: new Float64Array(events), acceptedAt: new Float64Array(events) };
}

async function send(load: Load, batch: number, at: number, { sentAt, acceptedAt }: Sending): Promise<void> {
  const { writeKeys, first } = load;
  const start = batch * load.batch;
  const writeKey = writeKeys[batch % writeKeys.length];
  const calls = Array.from({ length: load.batch }, (_, index) => numberedCall(first + start + index));
  const body = JSON.stringify({ writeKey, sentAt: new Date().toISOString(), batch: calls });
  const from = monotonicMs();
  while (!(await isAccepted(body, load.triesAgain === true))) {
    if (monotonicMs() - from > REFUSED_MS) throw new Error(`a batch was answered 503 for ${REFUSED_MS / 1_000} s`);
    await wait(TRY_AGAIN_MS);
  }
  sentAt.fill(at, start, start + load.batch);
  acceptedAt.fill(monotonicMs(), start, start + load.batch);
}

async function isAccepted(body: string, mayBeRefused: boolean): Promise<boolean> {
  const answer = await pool.request({ path: '/v1/batch', method: 'POST', headers, body });
  const text = await answer.body.text();
  if (answer.statusCode === 503 && mayBeRefused) return false;
  if (answer.statusCode !== 200) throw new Error(`a batch was answered ${answer.statusCode}: ${text}`);
  return true;
}
