import { expect, test } from 'vitest';
import { createAddressGuard } from '../../../server/delivery/address-guard.ts';
import { createUndiciTransport } from '../../../server/delivery/undici-transport.ts';
import { createReceiver } from '../../index.ts';
import { SOCKETS } from '../../receiver/index.ts';
import { stepOf } from '../../parity/vocabulary.ts';
import { outcomeAt, playedBy, refusedBy } from '../support/parity.ts';

test.each(playedBy('sockets'))('on real sockets the engine sees %s as %s', async (step, outcome) => {
  await using receiver = await createReceiver({ script: step });
  const transport = createUndiciTransport(createAddressGuard(['127.0.0.0/8']), 5_000);
  expect(await outcomeAt(`${receiver.url}/hook`, transport, step, outcome)).toBe(outcome);
  await transport.close();
});

test.each(refusedBy('sockets'))('real sockets refuse $step', (row) => {
  expect(SOCKETS.refuses(stepOf(row))).toMatch(/\w+;? .*(in process)/);
});
