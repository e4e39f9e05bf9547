import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LogOutput, type LogStream } from '../../operations/log/log-output.ts';

const MB = 2 ** 20;

/** A stream whose reader takes what it is given only while it is there, and which can be made to fail. */
class Reader implements LogStream {
  readonly taken: string[] = [];
  readonly #waiting: { readonly text: string; readonly onEnd: () => void }[] = [];
  #isThere = true;
  /** What writes fail with while it is set. */
  failure: Error | undefined;

  get writableLength(): number {
    return this.#waiting.reduce((sum, { text }) => sum + text.length, 0);
  }

  write(text: string, onEnd: (error?: Error) => void): void {
    if (this.failure !== undefined) return onEnd(this.failure);
    this.#waiting.push({ text, onEnd });
    if (this.#isThere) this.comesBack();
  }

  on(): void {}

  leaves(): void {
    this.#isThere = false;
  }

  comesBack(): void {
    this.#isThere = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (next.text !== '') this.taken.push(next.text);
      next.onEnd();
    }
  }
}

function start() {
  const reader = new Reader();
  const told: number[] = [];
  const output = new LogOutput(reader, (dropped) => told.push(dropped), setImmediate);
  return { reader, output, told };
}

test('the lines of a moment leave together, in order', async () => {
  const { reader, output } = start();
  output.write('one\n');
  output.write('two\n');
  expect(reader.taken).toEqual([]);
  await nextTurn();
  output.write('three\n');
  await nextTurn();
  expect(reader.taken).toEqual(['one\ntwo\n', 'three\n']);
  expect(output.dropped).toBe(0);
});

test('while nobody reads, eight megabytes wait and the rest is dropped; a reader that comes back learns how many', async () => {
  const { reader, output, told } = start();
  reader.leaves();
  const line = `${'x'.repeat(MB - 1)}\n`;
  for (let count = 0; count < 20; count += 1) {
    output.write(line);
    await nextTurn();
  }
  const { dropped } = output;
  expect(dropped).toBeGreaterThan(10);
  expect(reader.writableLength).toBeLessThan(10 * MB);
  expect(told).toEqual([]);
  reader.comesBack();
  await nextTurn();
  expect(told).toEqual([dropped]);
  expect(reader.taken.filter((text) => text === line)).toHaveLength(20 - dropped);
  output.write('after\n');
  await output.drained(60_000);
  expect(reader.taken.at(-1)).toBe('after\n');
  expect({ dropped: output.dropped, told }).toEqual({ dropped, told: [dropped] });
});

test('lines of one turn alone do not pass the bound either', () => {
  const { output } = start();
  for (let count = 0; count < 20; count += 1) output.write('x'.repeat(MB));
  expect(output.dropped).toBe(11);
});

test('a full disk drops lines and ends nothing; the next line begins anew, whatever was torn', async () => {
  const { reader, output, told } = start();
  reader.failure = new Error('ENOSPC: no space left on device');
  output.write('one\n');
  output.write('two\n');
  await output.drained(60_000);
  expect({ dropped: output.dropped, taken: reader.taken }).toEqual({ dropped: 2, taken: [] });
  reader.failure = undefined;
  output.write('three\n');
  await output.drained(60_000);
  expect(reader.taken.join('')).toBe('\nthree\n');
  expect(told).toEqual([2]);
});

test('draining ends although nobody reads', async () => {
  const { reader, output } = start();
  reader.leaves();
  output.write('one\n');
  await output.drained(1);
  expect(reader.taken).toEqual([]);
});
