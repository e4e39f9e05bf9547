import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/generate/root.ts';
import { bareEnvironment } from '../../scripts/router/bare-environment.ts';
import { startConfigApi, TOKEN } from '../../server/tests/support/config-api.ts';
import { CHANGED_AT_ONCE } from '../configuration/apply.ts';
import { connectedTo, objectsIn } from './support/command-line.ts';
import { exported, leaving, stepsIn } from './support/leaving.ts';
import { SEGMENT_TOKEN } from './support/segment-service.ts';
import { writeKeyOf } from './support/segment-workspace.ts';

test('a real-shaped workspace of 60 sources is carried, and one whose import was killed in the middle is the same', async () => {
  const { service, api, importing } = await leaving(60);
  await using _ = service;
  const whole = await importing('--json');
  expect(whole.stderr).toBe('');
  const found = await connectedTo(api.url, TOKEN)('sources', 'list', '--json');
  const keys = new Map(objectsIn(found.stdout).map(({ name, write_keys: own }) => [name, own]));
  const wanted = [...Array(60).keys()];
  expect(keys).toEqual(new Map(wanted.map((one) => [`workspaces/main/sources/source-${one}`, [writeKeyOf(one)]])));

  const cut = await startConfigApi();
  const before = await killedImport(service.url, cut.url, 75);
  const waybill = connectedTo(cut.url, TOKEN, { env: { SEGMENT_TOKEN } });
  const resumed = await waybill('import', 'segment', '--from', service.url, '--json');
  expect(resumed.stderr).toBe('');
  // What a killed import had told is not told again; what it had sent and not told may be missing in both.
  const [first, second] = [before, resumed.stdout].map(stepsIn);
  expect(first).toHaveLength(new Set(first).size);
  expect(second?.filter((step) => first?.includes(step))).toEqual([]);
  expect(stepsIn(whole.stdout).length - (first?.length ?? 0) - (second?.length ?? 0)).toBeLessThanOrEqual(
    CHANGED_AT_ONCE,
  );
  expect(notesIn(resumed.stdout)).toEqual(notesIn(whole.stdout));
  expect(await exported(cut.url)).toBe(await exported(api.url));
});

/** An import as a process of its own, killed once it has told of so many steps; answers what it told. */
async function killedImport(from: string, to: string, steps: number): Promise<string> {
  const env = bareEnvironment({ SEGMENT_TOKEN, WAYBILL_URL: to, WAYBILL_TOKEN: TOKEN });
  const command = ['cli/waybill.ts', 'import', 'segment', '--from', from, '--json'];
  const child = spawn(process.execPath, command, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text;
    if (told.split('\n').length > steps) child.kill('SIGKILL');
  });
  const [, signal] = await once(child, 'close');
  expect(signal).toBe('SIGKILL');
  return told.slice(0, told.lastIndexOf('\n') + 1);
}

/** Without what is another time otherwise: the router's port, and which requests the service refused at first. */
function notesIn(output: string): string[] {
  const notes = objectsIn(output).filter(({ action }) => action === 'note');
  const told = notes.map(({ name, text }) => `${String(name)} ${String(text).replace(/ \(\d+ attempts\)$/, '')}`);
  return told.map((note) => note.replace(/127\.0\.0\.1:\d+/, 'here')).toSorted();
}
