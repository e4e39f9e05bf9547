import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createAdmission, type Holder, type Portion, SharedMemory } from '../../http/admission.ts';
import { basic, startIngestion, WRITE_KEY } from '../support/ingestion-server.ts';

const KEYED: Holder = { id: 'workspaces/main/sources/js', hasKey: true };
const OTHER_KEYED: Holder = { id: 'workspaces/main/sources/ios', hasKey: true };
const [A, B, C] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((id): Holder => ({ id, hasKey: false }));

/** A memory of 100 bytes, of which those without a key get 50; time moves by hand. */
function hundredBytes(): {
  memory: SharedMemory;
  pass: (ms: number) => void;
  /** A sender of which so much has arrived, or why not. */
  send: (holder: Holder | undefined, bytes: number) => { received: boolean; evicted: boolean; portion: Portion };
} {
  let now = 0;
  const memory = new SharedMemory(100, () => now);
  return {
    memory,
    pass: (ms) => void (now += ms),
    send(holder = KEYED, bytes) {
      const portion = memory.enter(holder);
      if (portion === undefined) throw new Error('no room for a byte');
      const sender = { received: false, evicted: false, portion };
      portion.onEvicted = () => (sender.evicted = true);
      sender.received = memory.receive(portion, bytes);
      return sender;
    },
  };
}

test('SAFE-1: senders without a key have half of the memory between them', () => {
  const { send, memory } = hundredBytes();
  const [first, second] = [send(A, 25), send(B, 25)];
  expect(memory.receive(first.portion, 1)).toBe(false);
  expect(send(KEYED, 50).received).toBe(true);
  expect([first.evicted, second.evicted]).toEqual([false, false]);
});

test('SAFE-1: a sender with a key may take all that is free', () => {
  expect(hundredBytes().send(KEYED, 100).received).toBe(true);
});

test('SAFE-1: an address gives way to one that holds less', () => {
  const { send } = hundredBytes();
  const greedy = [send(A, 20), send(A, 20)];
  const modest = send(B, 10);
  expect(send(C, 15).received).toBe(true);
  expect([greedy.map(({ evicted }) => evicted), modest.evicted]).toEqual([[true, false], false]);
});

test('SAFE-1: an address does not give way to one that would hold more', () => {
  const { send } = hundredBytes();
  const [a, b] = [send(A, 25), send(B, 20)];
  expect(send(C, 30).received).toBe(false);
  expect([a.evicted, b.evicted]).toEqual([false, false]);
});

test('SAFE-1: the slowest gives way first', () => {
  const { send, pass } = hundredBytes();
  const older = send(A, 20);
  pass(100);
  const newer = send(A, 20);
  send(B, 20);
  expect([older.evicted, newer.evicted]).toEqual([true, false]);
});

test('SAFE-1: a sender that stalls, or trickles, is late after the grace, and gives way to its own address too', () => {
  const { send, pass, memory } = hundredBytes();
  const [stalled, trickling] = [send(A, 24), send(A, 1)];
  for (let second = 0; second < 6; second += 1) {
    pass(1_000);
    memory.receive(trickling.portion, 1);
  }
  expect(send(A, 20).received).toBe(true);
  expect([stalled.evicted, trickling.evicted]).toEqual([true, false]);
  expect(send(A, 25).received).toBe(true);
  expect(trickling.evicted).toBe(true);
});

test('SAFE-1: a sender that goes on is not late', () => {
  const { send, pass, memory } = hundredBytes();
  const slow = send(A, 0);
  for (let second = 0; second < 50; second += 1) {
    memory.hold(slow.portion, -1);
    memory.receive(slow.portion, 1);
    pass(100);
  }
  expect(send(A, 50).received).toBe(true);
  expect(slow.evicted).toBe(false);
});

test('SAFE-1: a sender without a key takes nothing from one with a key, unless it is late', () => {
  const { send, pass } = hundredBytes();
  const keyed = send(KEYED, 95);
  expect(send(A, 5).received).toBe(true);
  expect(send(B, 4).received).toBe(true);
  expect(keyed.evicted).toBe(false);
  pass(5_001);
  expect(send(B, 30).received).toBe(true);
  expect(keyed.evicted).toBe(true);
});

test('SAFE-1: a source gives way to one that holds less', () => {
  const { send } = hundredBytes();
  const greedy = [send(KEYED, 40), send(KEYED, 60)];
  expect(send(OTHER_KEYED, 20).received).toBe(true);
  expect(greedy.map(({ evicted }) => evicted)).toEqual([true, false]);
});

const SOURCES = Array.from({ length: 40 }, (_, at): Holder => ({ id: `workspaces/main/sources/${at}`, hasKey: true }));
const OTHER: Holder = { id: 'workspaces/other/sources/js', hasKey: true };

test('SAFE-2: a workspace gives way to one that holds less, however many sources it shares what it has among', () => {
  const { send } = hundredBytes();
  const greedy = SOURCES.map((source) => send(source, 2));
  expect(send(OTHER, 30).received).toBe(true);
  expect(greedy.filter(({ evicted }) => evicted)).toHaveLength(5);
});

test('SAFE-2: what a workspace has at work leaves a fifth of the memory to others', () => {
  const { send, memory } = hundredBytes();
  let refused = 0;
  for (const source of [...SOURCES, ...SOURCES]) {
    try {
      memory.stopReading(send(source, 2).portion);
    } catch {
      refused += 1;
    }
  }
  expect(refused).toBe(40);
  expect([send(OTHER, 8).received, send(OTHER, 8).received]).toEqual([true, true]);
});

test('SAFE-1: a body that is worked on is given to nobody', () => {
  const { send, memory, pass } = hundredBytes();
  const busy = send(A, 50);
  memory.stopReading(busy.portion);
  pass(60_000);
  expect(() => send(B, 10)).toThrow('no room');
  memory.leave(busy.portion);
  memory.leave(busy.portion);
  expect(send(B, 50).received).toBe(true);
});

/** From another address of loopback, so that it counts by itself. */
function senderFrom(localAddress: string, url: string): (body: string, headers?: object) => Promise<number> {
  return async (body, headers = {}) => {
    const sent = request(`${url}/v1/batch`, { method: 'POST', localAddress, headers: { ...headers } }).end(body);
    const [answer] = await once(sent, 'response');
    answer.resume();
    await once(answer, 'end');
    return answer.statusCode;
  };
}

/** Announces a large body, sends a part of it, and stops. */
function stall(localAddress: string, url: string, bytes: number): Socket {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress }).on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.write('POST /v1/batch HTTP/1.1\r\nHost: waybill\r\nContent-Length: 500000\r\n\r\n');
  socket.write(' '.repeat(bytes));
  return socket;
}

test('SAFE-1: 500 stalled senders from 5 addresses take nothing from honest ones', async () => {
  const admission = createAdmission({ requests: 1_000, bytes: 2_000_000 }, () => performance.now());
  const { url, store } = await startIngestion(undefined, admission);
  const stalled = Array.from({ length: 500 }, (_, at) => stall(`127.0.0.${2 + (at % 5)}`, url, 20_000));
  // As many as find room are kept; the others are told so.
  await Promise.race(stalled.map((socket) => once(socket, 'data')));
  const event = { type: 'track', event: 'E', userId: 'u' };
  const [withKey, without] = [senderFrom('127.0.0.2', url), senderFrom('127.0.0.9', url)];
  const statuses = new Map<number, number>();
  for (let turn = 0; turn < 100; turn += 1) {
    const body = (writeKey?: string): string => JSON.stringify({ batch: [event], writeKey }).padEnd(100_000);
    for (const status of [await withKey(body(), basic(WRITE_KEY)), await without(body(WRITE_KEY))]) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  expect(Object.fromEntries(statuses)).toEqual({ 200: 200 });
  expect(store.events).toHaveLength(200);
});

test('SAFE-1: a sender whose memory was given to others is answered 429, and its connection ends', async () => {
  let now = 0;
  const admission = createAdmission({ requests: 10, bytes: 60_000 }, () => now);
  const { url, post } = await startIngestion(undefined, admission);
  const slow = stall('127.0.0.2', url, 20_000);
  const isHeld = async (): Promise<boolean> => (await post('/v1/batch', ' '.repeat(50_000))).status === 429;
  await expect.poll(isHeld).toBe(true);
  now = 5_001;
  expect(await isHeld()).toBe(false);
  let answer = '';
  for await (const chunk of slow) answer += String(chunk);
  expect(answer).toMatch(/^HTTP\/1\.1 429 /);
  expect(answer).toMatch(/\r\nConnection: close\r\n/i);
  expect(answer).toContain('server overloaded; retry later');
});

test('a body in many small pieces arrives whole', async () => {
  const { url, store } = await startIngestion();
  const body = JSON.stringify({ batch: [{ type: 'identify', userId: 'u' }], writeKey: WRITE_KEY });
  const sent = request(`${url}/v1/batch`, { method: 'POST', headers: { 'transfer-encoding': 'chunked' } });
  for (const piece of body.split('')) sent.write(piece);
  sent.end();
  const [answer] = await once(sent, 'response');
  expect(answer.statusCode).toBe(200);
  answer.resume();
  expect(store.events).toHaveLength(1);
});
