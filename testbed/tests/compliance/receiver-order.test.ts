import { expect, test } from 'vitest';
import { BEGINNING, play } from '../../fault-script/index.ts';
import { toScript } from '../../index.ts';
import type { Received } from '../../index.ts';
import { Journal } from '../../receiver/journal.ts';
import type { Arrival } from '../../receiver/recorder.ts';
import { Recorder } from '../../receiver/recorder.ts';
import { schemeOf } from '../../schemes/schemes.ts';
import { ManualClock } from '../support/manual-clock.ts';

const { turn } = play(toScript('200'), BEGINNING, {});

function arrival(body: Uint8Array): Arrival {
  return { at: 0, method: 'POST', path: '/', headers: [['X-Signature', '0'.repeat(40)]], body };
}

function received(number: number): Received {
  return {
    ...arrival(new Uint8Array()),
    number,
    event: undefined,
    attempt: 1,
    scheme: schemeOf(),
    signature: { verdict: 'missing', header: 'X-Signature' },
    turn,
    script: [],
  };
}

test('a slow signature check does not let a later request pass', async () => {
  const recorder = new Recorder({ secret: 's3cret', scheme: schemeOf() });
  const told: number[] = [];
  const sizes = [30_000_000, 1, 20_000_000, 2];
  const recording = sizes.map(async (size) =>
    recorder.record(
      arrival(new Uint8Array(size)),
      () => ({ ...turn, script: [] }),
      (happened) => {
        if (happened.kind === 'received') told.push(happened.request.body.length);
      },
    ),
  );
  const records = await Promise.all(recording);
  expect(told).toEqual(sizes);
  expect(records.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
});

test('of two arrivals at once a wait takes only one', async () => {
  const journal = new Journal(new ManualClock(), 10);
  const waiting = journal.next('1s');
  journal.add(received(1));
  journal.add(received(2));
  expect(await waiting).toMatchObject({ number: 1 });
  expect(await journal.next('1s')).toMatchObject({ number: 2 });
});
