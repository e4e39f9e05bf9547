import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createReceiver } from '../../index.ts';
import { harOf, readRecording, recordingLine, replay } from '../../recording/index.ts';
import { failureOf, nextEvent, post } from '../support/posting.ts';
import { rawClient, requestText } from '../support/raw-client.ts';
import { serve } from '../support/served.ts';

// No JSON library would write it like this, so that any rewriting shows.
const BODY = ' { "type" : "track", "messageId":"m-1" }\n';

interface Seen {
  readonly url: string;
  readonly headers: readonly string[];
  readonly body: string;
}

function application(seen: Seen[]) {
  return serve((request, response) => {
    void buffer(request).then((body) => {
      seen.push({ url: request.url ?? '', headers: request.rawHeaders, body: body.toString('utf8') });
      response.writeHead(202, { 'X-From': 'application' }).end('from the application');
    });
  });
}

test('a request goes on to the application with its raw bytes, and its answer comes back', async () => {
  const seen: Seen[] = [];
  await using app = await application(seen);
  await using receiver = await createReceiver({ secret: 's3cret', forward: `${app.url}/hooks` });
  const answer = await post(`${receiver.url}/?a=1`, BODY, {
    'X-Signature': 'abc',
    'X-Custom': 'A',
  });
  expect(answer).toMatchObject({ status: 202, body: 'from the application' });
  expect(answer.headers.get('x-from')).toBe('application');
  expect(seen).toMatchObject([{ url: '/hooks?a=1', body: BODY }]);
  expect(seen[0]?.headers).toEqual(expect.arrayContaining(['X-Signature', 'abc', 'X-Custom', 'A']));
  expect(receiver.received).toHaveLength(1);
});

test('what the script does itself does not reach the application', async () => {
  const seen: Seen[] = [];
  await using app = await application(seen);
  await using receiver = await createReceiver({ script: '503,200', forward: app.url });
  expect((await post(receiver.url, BODY)).status).toBe(503);
  expect((await post(receiver.url, BODY)).status).toBe(202);
  expect(seen).toHaveLength(1);
});

test('an application that is not there is a 502 with the reason', async () => {
  const gone = await application([]);
  await gone[Symbol.asyncDispose]();
  await using receiver = await createReceiver({ forward: gone.url });
  expect(await post(receiver.url, BODY)).toMatchObject({
    status: 502,
    body: 'the application did not answer: ECONNREFUSED\n',
  });
});

test('an application that breaks off its answer is told, and so is the sender', async () => {
  await using app = await serve((_request, response) => {
    response.writeHead(200, { 'Content-Length': 100 }).write('half', () => response.destroy());
  });
  await using receiver = await createReceiver({ forward: app.url });
  const told = nextEvent(receiver, 'forwarded');
  expect(await failureOf(post(receiver.url, BODY))).toBe('UND_ERR_SOCKET');
  const { answer, request } = await told;
  expect(answer).toMatchObject({ status: 200, failure: 'ECONNRESET', bytes: 4 });
  expect(receiver.answerTo(request)).toBe(answer);
});

test('the bytes, the path and the order of headers go on as they came', async () => {
  const seen: Seen[] = [];
  await using app = await application(seen);
  await using receiver = await createReceiver({ forward: app.url });
  using client = rawClient(receiver.url);
  client.send(requestText(BODY, ['x-B: 1', 'X-a:  two ', 'Connection: keep-alive']).replace('/hook', '/a/../b%20?c'));
  await client.until('from the application');
  expect(seen).toMatchObject([{ url: '/a/../b%20?c', body: BODY }]);
  expect(seen[0]?.headers.slice(0, 4)).toEqual(['x-B', '1', 'X-a', 'two']);
});

test('a recording is read back to the same bytes, and replayed to the same path', async () => {
  await using first = await createReceiver();
  const bytes = Uint8Array.of(0xff, 0x00, 0x7b);
  await post(`${first.url}/a?b=c`, BODY, { 'X-Team': 'one' });
  await post(first.url, bytes);
  const text = first.received.map(recordingLine).join('\n');
  const recorded = readRecording(`${text}\n`);
  expect(recorded.map(({ body }) => Buffer.from(body))).toEqual([Buffer.from(BODY), Buffer.from(bytes)]);
  await using second = await createReceiver({ script: '201,503' });
  const answers = [];
  for (const one of recorded) answers.push((await replay(one, second.url)).answer);
  expect(answers).toEqual([201, 503]);
  expect(second.received.map(({ path, body }) => [path, Buffer.from(body)])).toEqual([
    ['/a?b=c', Buffer.from(BODY)],
    ['/', Buffer.from(bytes)],
  ]);
  expect(second.received[0]?.headers.find(([name]) => name.toLowerCase() === 'x-team')).toEqual(['X-Team', 'one']);
});

test('a line that is no recorded request is refused by its number', () => {
  expect(() => readRecording('\n{"at":1}')).toThrow('Line 2 of the recording');
  expect(() => readRecording('nonsense')).toThrow('Line 1 of the recording');
});

test('a replay to nobody says why', async () => {
  const gone = await createReceiver();
  await gone.close();
  const [one] = readRecording('{"at":"","method":"POST","path":"/","headers":[],"bodyBase64":""}');
  expect(one === undefined ? '' : (await replay(one, gone.url)).answer).toBe('ECONNREFUSED');
});

test('an archive has an entry for each request, with what was answered', async () => {
  await using receiver = await createReceiver({ script: '302+to:http://x.test/,reset:request' });
  await post(`${receiver.url}/?a=1`, BODY);
  await post(receiver.url, Uint8Array.of(0xff)).catch(() => undefined);
  const har = harOf(receiver.received, receiver.url);
  expect(har).toMatchObject({
    log: {
      version: '1.2',
      entries: [
        {
          request: { method: 'POST', queryString: [{ name: 'a', value: '1' }], postData: { text: BODY } },
          response: { status: 302, redirectURL: 'http://x.test/' },
        },
        { request: { postData: { text: '/w==', _encoding: 'base64' } }, response: { status: 0, _error: 'stop' } },
      ],
    },
  });
});
