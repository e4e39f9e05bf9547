import { expect, test } from 'vitest';
import { outcomeOf } from '../../../server/model/outcome.ts';
import { PARITY, simulatedOutcome } from '../../parity/vocabulary.ts';
import { scriptedEndpoint } from '../../simulation/scripted-endpoint.ts';
import { SimulatedTransport } from '../../simulation/simulated-transport.ts';
import { VirtualClock } from '../../simulation/virtual-clock.ts';

test.each(PARITY)('in virtual time $step is what it is on the network', async (row) => {
  const clock = new VirtualClock();
  const transport = new SimulatedTransport(clock, scriptedEndpoint(row.step));
  const body = Buffer.from('{"version":1,"type":"track","messageId":"m1"}');
  const posting = transport.post({
    workspace: 'workspaces/main',
    url: 'https://hooks.test/',
    headers: {},
    body,
    deadlineMs: 5_000,
  });
  await clock.advance(10_000);
  expect(outcomeOf(await posting)).toBe(simulatedOutcome(row));
});
