/**
 * Installs the packed testbed beside the packages that people have, from the registry, and runs the examples with each
 * set: `node scripts/run.mjs scripts/peers/matrix.ts [word in a name]`. `npm test` runs the oldest and the newest.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { packedClient } from '../../client/tests/support/packed-client.ts';
import { packedTestbed } from '../../testbed/tests/support/packed-testbed.ts';
import { ROOT } from '../generate/root.ts';

interface PeerSet {
  readonly name: string;
  readonly packages: readonly string[];
  /** The program in `node_modules`, and what it is given. */
  readonly runs: readonly [string, ...string[]];
  /** How the output of a run begins or ends that went well. */
  readonly well: RegExp;
}

const JEST = `import { expect, test } from '@jest/globals';
import { deliveryMatchers } from '@waybill/testbed/jest';
expect.extend(deliveryMatchers);
test('the opposite holds', () => expect([]).not.toHaveDelivered());
`;
/** A receiver on a socket, one signed event, and what the assertions say. */
const PLAIN = `import { createReceiver, exampleOf, webhookRequest } from '@waybill/testbed';
import { assertSent } from '@waybill/testbed/node-test';
const receiver = await createReceiver({ secret: 's3cret', script: '503,200' });
const event = exampleOf('track', { receivedAt: new Date().toISOString() });
for (const status of [503, 200]) {
  const answer = await fetch(receiver.url, webhookRequest(event, { secret: 's3cret' }));
  if (answer.status !== status) throw new Error(\`answered \${answer.status}\`);
}
assertSent(receiver).toHaveDelivered({ type: 'track', count: 1 });
await assertSent(receiver).toBeSignedWith('s3cret');
await receiver[Symbol.asyncDispose]();
console.log('all holds');
`;

const VITEST = 'node_modules/vitest/vitest.mjs';
const NODES = ['22.19.0', '24', '26'];
const TOOLS: readonly (readonly string[])[] = [
  ['vitest@3.2.0', 'vite@7', 'msw@2.5.0', 'nock@14.0.0'],
  ['vitest@4', 'vite@7', 'msw@2', 'nock@14'],
  ['vitest@5', 'msw@3', 'nock@15'],
];

const SETS: readonly PeerSet[] = [
  ...NODES.flatMap((node) => [
    ...TOOLS.map((tools) => ({
      name: [`node@${node}`, ...tools].join(' '),
      packages: [`node@${node}`, ...tools, 'fast-check@4'],
      runs: ['node/bin/node', VITEST, 'run'] as const,
      well: /Test Files .*7 passed/,
    })),
    ...['30.0.0', '30'].map((jest) => ({
      name: `node@${node} jest@${jest}`,
      packages: [`node@${node}`, `jest@${jest}`],
      runs: [
        'node/bin/node',
        '--experimental-vm-modules',
        'node_modules/jest/bin/jest.js',
        '--testRegex',
        'jest-matchers.js$',
      ] as const,
      well: /Tests: +1 passed/,
    })),
  ]),
  { name: 'bun@1', packages: ['bun@1'], runs: ['bun/bin/bun.exe', 'plain.js'], well: /^all holds$/m },
  { name: 'deno@2', packages: ['deno@2'], runs: ['deno/bin.cjs', 'run', '-A', 'plain.js'], well: /^all holds$/m },
];

const [, , word = ''] = process.argv;
const failed = SETS.filter(({ name }) => name.includes(word)).filter((set) => !holds(set));
process.exitCode = failed.length === 0 ? 0 : 1;

function holds({ name, packages, runs: [program, ...args], well }: PeerSet): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-peers-'));
  const run = (command: string, given: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(command, given, { cwd: folder, encoding: 'utf8', timeout: 600_000 });
    return { status, output: `${stdout}${stderr}` };
  };
  try {
    const scripted = ['node', 'bun', 'deno'];
    const allowScripts = Object.fromEntries(scripted.map((one) => [one, true]));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true, allowScripts }));
    const files = [packedTestbed().tarball, packedClient().tarball];
    const installed = run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...files, ...packages]);
    if (installed.status !== 0) return said(name, installed.output);
    for (const file of globSync('testbed/examples/*.ts', { cwd: ROOT }))
      copyFileSync(join(ROOT, file), join(folder, basename(file)));
    writeFileSync(join(folder, 'jest-matchers.js'), JEST);
    writeFileSync(join(folder, 'plain.js'), PLAIN);
    const { status, output } = run(join(folder, 'node_modules', program), args);
    return said(name, status === 0 && well.test(output) ? undefined : output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function said(name: string, fault: string | undefined): boolean {
  console.log(`${fault === undefined ? 'passed' : 'FAILED'}  ${name}`);
  if (fault !== undefined) console.log(fault.split('\n').slice(-30).join('\n'));
  return fault === undefined;
}
