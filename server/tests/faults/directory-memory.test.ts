import { expect, test } from 'vitest';
import { openDirectory } from '../../directory/directory.ts';
import { destination, source, workspace } from '../support/config-resources.ts';
import { newEvaluation } from '../support/evaluation.ts';
import { kept } from '../support/kept-bytes.ts';
import { openMemory } from '../support/memory-storage.ts';

test('SAFE-2: of destinations that are gone, whose deliveries are asked for, nothing stays in memory', async () => {
  const { resources } = openMemory();
  await resources.create('workspaces', workspace('main'));
  await resources.create('sources', source('main', 'js'));
  const parent = 'workspaces/main/sources/js';
  const hooks = { name: 'hooks', display_name: '', type: 'mixed', value: [{ hook: 'https://example.test/' }] } as const;
  const there = { ...destination(parent), enabled: true, config: [hooks] };
  await resources.create('destinations', there);
  const directory = await openDirectory(resources, newEvaluation());
  const { bytes } = kept(() => {
    for (let at = 0; at < 100_000; at += 1) directory.target(`${parent}/destinations/gone-${at}`);
  });
  expect(bytes).toBeLessThan(2_000_000);
  expect(directory.target(there.name)).toBeDefined();
  expect(directory.target(there.name)).toBe(directory.target(there.name));
});
