import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NameTurns } from '../../fairness/name-turns.ts';
import { createSystemResolver, hurryLookUps } from '../../system-resolver.ts';

/** Look-ups that a test ends by hand, on a clock that it moves. */
class Names {
  now = 0;
  readonly begun: string[] = [];
  readonly underWay = new Map<string, PromiseWithResolvers<string>>();
  readonly refused: string[] = [];
  readonly #turns: NameTurns<string>;

  constructor(places: number) {
    this.#turns = new NameTurns({ places, now: () => this.now, lookUp: (name) => this.#begin(name) });
  }

  ask(...names: readonly string[]): Promise<void> {
    return this.askFor('a', ...names);
  }

  async askFor(workspace: string, ...names: readonly string[]): Promise<void> {
    for (const name of names) {
      this.#turns.ask(name, workspace).catch((error: unknown) => this.refused.push(String(error)));
    }
    await new Promise(setImmediate);
  }

  #begin(name: string): Promise<string> {
    this.begun.push(name);
    const own = Promise.withResolvers<string>();
    this.underWay.set(name, own);
    return own.promise;
  }

  /** The look-up of this name ends after so long. */
  async end(name: string, ms = 0): Promise<void> {
    this.now += ms;
    this.underWay.get(name)?.resolve('1.1.1.1');
    this.underWay.delete(name);
    await new Promise(setImmediate);
  }

  async askedOnce(name: string, ms: number): Promise<void> {
    await this.ask(name);
    await this.end(name, ms);
    this.begun.length = 0;
  }
}

const SILENT = ['a.silent.test', 'b.silent.test', 'c.silent.test'];

test('names whose servers are silent leave half of the look-ups to names that were quick', async () => {
  const names = new Names(4);
  await names.askedOnce('known.test', 20);
  await names.ask(...SILENT, 'known.test');
  expect(names.begun).toEqual(['a.silent.test', 'b.silent.test', 'known.test']);
  await names.end('known.test', 20);
  // The place of one that was quick is not given to the next that is silent.
  expect(names.begun).not.toContain('c.silent.test');
  await names.end('a.silent.test', 10);
  expect(names.begun.at(-1)).toBe('c.silent.test');
});

test('SAFE-2: a name that nobody knows has its turn, however many there are that were quick', async () => {
  const names = new Names(2);
  const known = ['a.test', 'b.test', 'c.test', 'd.test'];
  for (const name of known) await names.askedOnce(name, 1);
  await names.ask(...known);
  await names.askFor('b', 'new.test');
  await names.end('a.test', 1);
  expect(names.begun).toEqual(['a.test', 'b.test', 'new.test']);
});

test('a name that was slow is looked up after those that nobody knows', async () => {
  const names = new Names(2);
  await names.askedOnce('slow.test', 1_001);
  await names.ask('a.silent.test', 'slow.test', 'new.test');
  await names.end('a.silent.test', 10);
  await names.end('new.test', 10);
  expect(names.begun).toEqual(['a.silent.test', 'new.test', 'slow.test']);
});

test('a name that was slow and is quick again comes first', async () => {
  const names = new Names(2);
  await names.askedOnce('once.test', 1_001);
  await names.askedOnce('once.test', 1_000);
  await names.ask(...SILENT, 'once.test');
  expect(names.begun).toEqual(['a.silent.test', 'once.test']);
});

test('whoever waited for more than five seconds is not looked up any more, and is told why', async () => {
  const names = new Names(1);
  await names.ask('a.silent.test', 'b.test');
  await names.end('nobody', 3_000);
  await names.ask('c.test');
  await names.end('a.silent.test', 2_001);
  expect(names.begun).toEqual(['a.silent.test', 'c.test']);
  expect(names.refused).toEqual([
    expect.stringMatching(/^Error: b\.test was not looked up for 5 s, .*UV_THREADPOOL_SIZE/),
  ]);
});

test('SAFE-2: a workspace with many names keeps another waiting for one of them', async () => {
  const names = new Names(1);
  await names.ask(...SILENT, 'd.silent.test');
  await names.askFor('b', 'own.test');
  await names.end('a.silent.test', 900);
  await names.end('b.silent.test', 900);
  expect(names.begun).toEqual(['a.silent.test', 'b.silent.test', 'own.test']);
});

test('a name for which another workspace waits already is looked up in the first turn of either, and once', async () => {
  const names = new Names(1);
  await names.ask(...SILENT, 'shared.test');
  await names.askFor('b', 'shared.test');
  for (const name of ['a.silent.test', 'b.silent.test', 'shared.test', 'c.silent.test']) await names.end(name, 900);
  expect(names.begun).toEqual(['a.silent.test', 'b.silent.test', 'shared.test', 'c.silent.test']);
  expect(names.refused).toEqual([]);
});

function lookUp(name: string): Promise<string> {
  return name === 'gone.test' ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve('1.1.1.1');
}

test('a look-up that fails gives its place back, and its own reason', async () => {
  const turns = new NameTurns({ lookUp, places: 1 });
  await expect(turns.ask('gone.test', 'a')).rejects.toThrow('ENOTFOUND');
  expect(await turns.ask('b.test', 'a')).toBe('1.1.1.1');
});

test('however names come and end, all are looked up in the end, and never too many at once', async () => {
  const act = fc.record({
    name: fc.integer({ min: 0, max: 30 }),
    ends: fc.boolean(),
    ms: fc.constantFrom(0, 10, 1_500),
  });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.array(act, { maxLength: 60 }), async (places, acts) => {
      const names = new Names(places);
      const waiting = new Set<string>();
      const asked = new Set<string>();
      for (const { name, ends, ms } of acts) {
        const host = `${name}.test`;
        if (!ends && !waiting.has(host)) {
          await names.ask(host);
          for (const set of [waiting, asked]) set.add(host);
        } else if (names.underWay.has(host)) {
          await names.end(host, ms);
          waiting.delete(host);
        }
        expect(names.underWay.size).toBeLessThanOrEqual(places);
      }
      for (let [host] = names.underWay.keys(); host !== undefined; [host] = names.underWay.keys())
        await names.end(host);
      expect(names.begun.length + names.refused.length).toBeGreaterThanOrEqual(asked.size);
      expect(names.underWay.size).toBe(0);
    }),
    { numRuns: 100 },
  );
});

test('of the threads that look up names, dead names have no more than half', async () => {
  const asked: string[] = [];
  const resolver = createSystemResolver((name) => {
    asked.push(name);
    const isSilent = name.endsWith('.silent.test');
    return isSilent ? new Promise(() => undefined) : Promise.resolve([{ address: '1.1.1.1', family: 4 }]);
  });
  await resolver('known.test', 'a');
  for (const name of SILENT) void resolver(name, 'a');
  expect(await resolver('known.test', 'a')).toEqual([{ address: '1.1.1.1', family: 4 }]);
  expect(asked.filter((name) => name.endsWith('.silent.test')).length).toBeLessThan(SILENT.length);
});

test('a router looks names up with more threads and sooner tries, unless its operator says otherwise', () => {
  const environment: NodeJS.ProcessEnv = { RES_OPTIONS: 'timeout:9' };
  hurryLookUps(environment);
  expect(environment).toEqual({ RES_OPTIONS: 'timeout:9', UV_THREADPOOL_SIZE: '8' });
  const unset: NodeJS.ProcessEnv = {};
  hurryLookUps(unset);
  expect(unset).toEqual({ RES_OPTIONS: 'timeout:2 attempts:2', UV_THREADPOOL_SIZE: '8' });
});
