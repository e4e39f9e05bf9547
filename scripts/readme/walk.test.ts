import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../check/free-port.ts';
import { commandsOf, OpenTerminal, readPage, readReadme, runCommands } from './walk.ts';

test('the walk of the README works as it is written, after the `npm start` above it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-walk-'));
  const [routerPort, receiverPort] = [await freePort(), await freePort()];
  const readme = readReadme()
    .replaceAll('8080', String(routerPort))
    .replaceAll('9000', String(receiverPort))
    .replaceAll('walk-data', join(folder, 'walk-data'));
  const commands = commandsOf(readme);
  const env = { ...process.env, WAYBILL_DATA_DIR: join(folder, 'data'), WAYBILL_PORT: String(routerPort) };
  await startBefore(readme, env);
  // The words of the README hold for the real wait; nobody needs to sit through it here.
  const router = new OpenTerminal(commands.router, { ...env, WAYBILL_RETRY_FIRST_WAIT: '200ms' });
  const receiver = new OpenTerminal(commands.receiver, env);
  try {
    await router.shows(/"listening"/);
    await receiver.shows(new RegExp(`:${receiverPort}`));
    const output = await runCommands(commands.shell, folder);
    expect(output).toContain('{"success":true}');
    await receiver.shows(/✓ valid/, 3);
    expect(receiver.output).toContain('Order Completed · ada');
    expect(receiver.output.match(/✓ valid +(503|200) /g)?.map((text) => text.slice(-4))).toEqual([
      '503 ',
      '503 ',
      '200 ',
    ]);
    const token = /^export TOKEN=.*$/m.exec(commands.shell)?.[0] ?? '';
    expect(await runCommands(`${token}\n${commands.later}`, folder)).toContain('"enabled":false');
    // The page of deliveries goes on from here, with the destination enabled.
    const enable = commands.later.replace('"enabled": false', '"enabled": true');
    const shown = await runCommands(`${token}\n${enable}\n${deliveriesAt(routerPort)}`, folder);
    expect(shown).toMatch(/"state":"delivered"[^]*"replay_count":1/);
    await receiver.shows(/✓ valid/, 4);
  } finally {
    await receiver.close();
    await router.close();
    rmSync(folder, { recursive: true });
  }
});

/** Whoever reads from the top has started a router before, on the default folder: `data` here. */
async function startBefore(readme: string, env: NodeJS.ProcessEnv): Promise<void> {
  const before = new OpenTerminal(firstCommandOf(readme), env);
  await before.shows(/"listening"/);
  expect(before.output).toContain('Waybill made its first access token');
  await before.close();
}

/** The commands of the page of deliveries. */
function deliveriesAt(port: number): string {
  return commandsOf(readPage('docs/deliveries.md').replaceAll('8080', String(port))).later;
}

/** Of the README's first block. */
function firstCommandOf(readme: string): string {
  return /```sh\n(.*)\n/.exec(readme)?.[1] ?? '';
}

test('every block of the walk is read', () => {
  const { router, receiver, shell, later } = commandsOf(readReadme());
  expect(firstCommandOf(readReadme())).toBe('npm start');
  expect(router).toContain('npm start -- --data-dir walk-data');
  expect(receiver).toContain('npm run receiver');
  expect(shell.match(/curl/g)).toHaveLength(3);
  expect(later).toContain('update_mask');
});
