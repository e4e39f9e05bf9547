import { expect, test } from 'vitest';
import type { Call, Send } from '../../client/config/call.ts';
import { checkOptions } from '../../client/config/options.ts';
import { createSend } from '../../client/config/send.ts';
import { VirtualClock } from '../../testbed/simulation/virtual-clock.ts';
import { patient, tellingWaits } from '../patience.ts';

const CALL: Call<unknown> = {
  method: 'get',
  path: '/v1beta/workspaces/{workspace}',
  ids: { workspace: 'main' },
  signal: undefined,
  read: (value) => ({ value }),
};

/** A router that takes so many requests a minute, and the words of whoever asks it. */
function startRouter(limit: number, retryAfterS?: number) {
  const clock = new VirtualClock(0);
  const told: string[] = [];
  const window = { endsAt: 60_000, left: limit };
  const answered = async (): Promise<Response> => {
    if (clock.now() >= window.endsAt) Object.assign(window, { endsAt: clock.now() + 60_000, left: limit });
    window.left -= 1;
    if (window.left >= 0) return Response.json({ name: 'workspaces/main' });
    const after = retryAfterS ?? Math.ceil((window.endsAt - clock.now()) / 1_000);
    return Response.json({ error: 'too many', code: 8 }, { status: 429, headers: { 'Retry-After': String(after) } });
  };
  const fetch = tellingWaits(answered, clock, { say: (text) => void told.push(text) });
  const send: Send = createSend(checkOptions({ baseUrl: 'http://router.test', token: 't', fetch, clock }));
  return { clock, told, send };
}

test('CFG-17: however few requests a router takes a minute, those that go at once all end with an answer', async () => {
  const { clock, send } = startRouter(1);
  const own = patient(send);
  const all = Promise.all(Array.from({ length: 32 }, () => own(CALL)));
  await clock.advance(40 * 60_000);
  expect(await all).toHaveLength(32);
});

test('CFG-17: twin: without patience some of them are refused for good', async () => {
  const { clock, send } = startRouter(1);
  const all = Promise.allSettled(Array.from({ length: 32 }, () => send(CALL)));
  await clock.advance(40 * 60_000);
  expect((await all).filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
});

test('who waits is told how long, once for all that wait together', async () => {
  const { clock, told, send } = startRouter(4);
  const all = Promise.all(Array.from({ length: 10 }, () => send(CALL)));
  await clock.advance(120_000);
  await all;
  const line = 'the router takes no more requests now: going on in 60 s';
  expect(told).toEqual([line, line]);
});

test('a deadline is no wait, and nothing is told where nothing is refused', async () => {
  const { told, send } = startRouter(10);
  await send(CALL);
  expect(told).toEqual([]);
});

test('who is told to wait longer than a minute is refused at once', async () => {
  const { send } = startRouter(0, 3_600);
  await expect(patient(send)(CALL)).rejects.toThrow('ResourceExhausted');
});
