import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { archiveTo, harOf } from '../../recording/index.ts';
import { createReceiver } from '../../index.ts';
import { harFault } from '../support/har-schema.ts';
import { event, failureOf, nextEvent, post } from '../support/posting.ts';
import { serve } from '../support/served.ts';

const folder = mkdtempSync(join(tmpdir(), 'waybill-archive-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SCRIPT =
  '302+to:http://x.test/,200+body:"hi",200+size:20KB,503+header:"A: b",reset:request,malformed:garbage,204';

test('an archive of every kind of answer is valid HAR 1.2', async () => {
  await using application = await serve((_request, response) => {
    response.writeHead(201, { 'Content-Type': 'application/json', Location: '/made' }).end('{"made":1}');
  });
  await using receiver = await createReceiver({ script: SCRIPT, endpoints: { '/app': { forward: application.url } } });
  const file = join(folder, 'all.har');
  const archive = await archiveTo(receiver, file);
  for (const body of [event('track'), '', Uint8Array.of(0xff), '{"ä":1}', 'x', 'y', 'z']) {
    await post(`${receiver.url}/?a=1&b=%20`, body).catch(() => undefined);
  }
  const answered = nextEvent(receiver, 'forwarded');
  await post(`${receiver.url}/app`, event('page'));
  await answered;
  await archive.close();
  const har: { log: { entries: unknown[] } } = JSON.parse(readFileSync(file, 'utf8'));
  expect(harFault(har)).toBeUndefined();
  expect(har.log.entries).toHaveLength(8);
  expect(har.log.entries.at(-1)).toMatchObject({
    response: { status: 201, redirectURL: '/made', content: { text: '{"made":1}', mimeType: 'application/json' } },
  });
  expect(har).toEqual(
    JSON.parse(JSON.stringify(harOf(receiver.received, receiver.url, (one) => receiver.answerTo(one)))),
  );
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.each([
  [{ log: {} }, 'entries'],
  [{ log: { version: '1.1', creator: { name: '', version: '' }, entries: [] } }, 'version'],
  [{ log: { version: '1.2', creator: { name: '', version: '' }, entries: [{ time: 1 }] } }, 'startedDateTime'],
])('the check above finds what is wrong with %j', (har, words) => {
  expect(harFault(har)).toContain(words);
});

test('the file is a whole archive after every request', async () => {
  await using receiver = await createReceiver();
  const file = join(folder, 'grows.har');
  await using archive = await archiveTo(receiver, file);
  const entries = () => {
    const har: { log: { entries: unknown[] } } = JSON.parse(readFileSync(file, 'utf8'));
    return har.log.entries.length;
  };
  for (let count = 1; count <= 3; count += 1) {
    await post(receiver.url, event('track', { event: 'ß'.repeat(count) }));
    await expect.poll(entries).toBe(count);
  }
  expect(archive.failure).toBeUndefined();
});

test('a request whose application never answers is in the archive once it ends', async () => {
  await using application = await serve(() => undefined);
  await using receiver = await createReceiver({ forward: application.url });
  const file = join(folder, 'open.har');
  const archive = await archiveTo(receiver, file);
  const sending = failureOf(post(receiver.url, 'x'));
  await receiver.next();
  await archive.close();
  const har: unknown = JSON.parse(readFileSync(file, 'utf8'));
  expect(har).toMatchObject({ log: { entries: [{ response: { _error: 'the application has not answered' } }] } });
  expect(harFault(har)).toBeUndefined();
  await receiver.close();
  await sending;
});

test('any path and body make a valid entry', async () => {
  await using receiver = await createReceiver();
  const sample = await post(receiver.url, '').then(async () => receiver.next());
  fc.assert(
    fc.property(fc.string(), fc.uint8Array({ maxLength: 50 }), (path, body) => {
      expect(harFault(harOf([{ ...sample, path: `/${path}`, body }], receiver.url))).toBeUndefined();
    }),
  );
});
