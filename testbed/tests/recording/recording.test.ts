import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createReceiver } from '../../index.ts';
import { readRecording, recordTo, RecordingError, replay } from '../../recording/index.ts';
import { targetOf } from '../../receiver/forward-target.ts';
import { event, post } from '../support/posting.ts';
import { serve } from '../support/served.ts';

const folder = mkdtempSync(join(tmpdir(), 'waybill-recording-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a second run adds to the recording of the first', async () => {
  const file = join(folder, 'two-runs.jsonl');
  for (const type of ['track', 'page']) {
    await using receiver = await createReceiver();
    await using recording = await recordTo(receiver, file);
    await post(`${receiver.url}/${type}`, event(type));
    await recording.close();
    expect(recording.failure).toBeUndefined();
  }
  expect(readRecording(readFileSync(file, 'utf8')).map(({ path }) => path)).toEqual(['/track', '/page']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a line that an earlier run could not end spoils no later one', async () => {
  const file = join(folder, 'cut.jsonl');
  appendFileSync(file, '{"at":"2026');
  await using receiver = await createReceiver();
  await using recording = await recordTo(receiver, file);
  await post(receiver.url, event('track'));
  await recording.close();
  const [cut, whole] = readFileSync(file, 'utf8').trim().split('\n');
  expect(() => readRecording(cut ?? '')).toThrow('Line 1');
  expect(readRecording(whole ?? '')).toHaveLength(1);
});

test('a file that cannot be opened is refused by its name', async () => {
  await using receiver = await createReceiver();
  await expect(recordTo(receiver, join(folder, 'no', 'such'))).rejects.toThrow(RecordingError);
  await expect(recordTo(receiver, folder)).rejects.toThrow(`Cannot write ${folder}: EISDIR`);
});

test('a disk that is full is told once, and the receiver goes on', async () => {
  await using receiver = await createReceiver();
  const told: string[] = [];
  await using recording = await recordTo(receiver, '/dev/full', ({ message }) => told.push(message));
  for (const type of ['track', 'page']) expect((await post(receiver.url, event(type))).status).toBe(200);
  await recording.close();
  expect(told).toEqual([expect.stringMatching(/^Cannot write \/dev\/full: ENOSPC/)]);
  expect(recording.failure).toBeInstanceOf(RecordingError);
});

test.each([
  ['http://h.test', '/a/../b?c=%20', '/a/../b?c=%20'],
  ['http://h.test/', '/', '/'],
  ['http://h.test/hooks', '/a?b=c', '/hooks?b=c'],
  ['http://h.test/hooks/', '/', '/hooks/'],
  ['http://h.test/hooks?token=t', '/a?b=c', '/hooks?token=t'],
])('a request for %s goes from %s to %s', (base, asked, path) => {
  expect(targetOf(base, asked)).toMatchObject({ path, origin: { host: 'h.test' } });
});

const LINE = '{"at":"","method":"POST","path":"/","headers":[],"bodyBase64":"eA=="}';

test('a replay waits no longer than its deadline', async () => {
  await using silent = await serve(() => undefined);
  const [one] = readRecording(LINE);
  if (one === undefined) throw new Error('the line holds a request');
  expect((await replay(one, silent.url, 50)).answer).toBe('no answer within 0.05 s');
});

test('a status is an answer, also when its body never ends', async () => {
  await using endless = await createReceiver({ script: '202+size:endless' });
  const [one] = readRecording(LINE);
  if (one === undefined) throw new Error('the line holds a request');
  expect((await replay(one, endless.url, 500)).answer).toBe(202);
});

test('a path that cannot be sent is an answer too', async () => {
  await using receiver = await createReceiver();
  const [one] = readRecording(LINE.replace('"/"', '"/a b"'));
  if (one === undefined) throw new Error('the line holds a request');
  expect((await replay(one, receiver.url)).answer).toBe('ERR_UNESCAPED_CHARACTERS');
});
