import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { runReceiver, urlOf } from '../support/command.ts';

const FILE = new URL('../../examples/compose.yaml', import.meta.url);

test('the receiver of the compose file starts with its flags, and answers as its script says', async () => {
  const { receiver } = parse(readFileSync(FILE, 'utf8')).services;
  expect(receiver).toMatchObject({ network_mode: 'host', read_only: true, cap_drop: ['ALL'] });
  expect(receiver.image).toMatch(/^node:\d+\.\d+/);
  const [program, , from, name, ...flags]: string[] = receiver.command;
  expect([program, from, name]).toEqual(['npx', '--package=@waybill/testbed', 'waybill-receiver']);
  const free = flags.map((flag) => flag.replace(/(?<=port=)\d+/, '0'));
  await using command = runReceiver(...free);
  const url = await urlOf(command);
  const statuses: number[] = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await fetch(url, { method: 'POST', body: '{}' })).status);
  expect(statuses).toEqual([503, 503, 200]);
});
