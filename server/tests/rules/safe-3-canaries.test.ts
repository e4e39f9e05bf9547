import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { readSettings } from '../../settings/settings.ts';
import { startWaybill } from '../../app.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { leaksIn } from '../support/leaks.ts';
import { listening } from '../support/raw-receiver.ts';

const TOKEN = 'c4naryAccessToken-0123456789';
const WRITE_KEY = 'c4naryWriteKey';
const SECRETS = {
  shared: 'c4naryShared',
  /** It takes the place of the shared one, and both are valid. */
  next: 'c4naryNextOne',
  header: 'c4naryHeader',
  password: 'c4naryPassword',
  query: 'c4naryQuery',
  path: 'c4naryPath',
};
const HIDDEN = [TOKEN, WRITE_KEY, ...Object.values(SECRETS)];

/** What a receiver can make of what it was sent, or of what it knows. */
const ENCODINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => Buffer.from(text).toString('hex').toUpperCase(),
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(`u:${text}`).toString('base64url'),
  (text) => Buffer.from(`you: ${text}, and more`).toString('base64'),
  (text) => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&'),
];

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers, and then what is no answer at all: each of them says all it knows. */
const ANSWERS: readonly Answer[] = [
  ...[200, 302, 401, 503].flatMap((status) =>
    ENCODINGS.map<Answer>((encode) => (request, response) => {
      const known = [request.url ?? '', JSON.stringify(request.headers), ...Object.values(SECRETS)]
        .map(encode)
        .join(' ');
      response.writeHead(status, { location: `/${SECRETS.path}` }).end(known.slice(0, 1_500));
    }),
  ),
  // Cut within a secret, as an excerpt is.
  (_request, response) => response.writeHead(500).end(`${'.'.repeat(1_016)}${SECRETS.shared}`),
  ({ socket }) => socket.end(`HTTP/1.1 200 OK\r\n${SECRETS.header}\r\nno header: ${SECRETS.query}\r\n\r\n`),
  ({ socket }) => socket.end(`${SECRETS.path} is no HTTP\r\n\r\n`),
  ({ socket }) => socket.destroy(),
];

async function startTelling(): Promise<number> {
  let next = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => ANSWERS[next++ % ANSWERS.length]?.(request, response));
  });
  return listening(server);
}

function configOf(port: number): object[] {
  const headers = [
    { key: 'Authorization', value: `Bearer ${SECRETS.header}` },
    { key: 'X-Other', value: `Basic ${Buffer.from(`user:${SECRETS.password}`).toString('base64')}` },
  ];
  // The second leads nowhere: what the network says of it is kept, too.
  const hooks = [`http://127.0.0.1:${port}`, 'http://nowhere.invalid'].map((origin) => ({
    hook: `${origin}/services/${SECRETS.path}?key=${SECRETS.query}`,
    headers,
  }));
  return [
    { name: 'hooks', value: hooks },
    { name: 'sharedSecret', value: SECRETS.shared },
    { name: 'signature', value: 'both' },
  ];
}

test('SAFE-3: no secret reaches log, metrics, errors or attempts, whatever receivers make of it', async () => {
  const flags = [
    '--port=0',
    `--data-dir=${newFolder()}`,
    `--token=${TOKEN}`,
    '--allow-networks=127.0.0.0/8',
    '--rate-limit=0',
  ];
  const log = new RecordingLog();
  const waybill = await startWaybill(readSettings(flags, {}), log, { policy: { parkAfter: 1_000 } });
  onTestFinished(() => waybill.stop());
  const seen: string[] = [];
  const ask = async (method: string, path: string, body?: object, token = TOKEN): Promise<Response> =>
    fetch(`${waybill.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const parent = '/v1beta/workspaces/main/sources';
  const source = { name: 'workspaces/main/sources/js', write_keys: [WRITE_KEY] };
  await ask('POST', parent, { source });
  const destination = {
    name: `${source.name}/destinations/webhooks`,
    enabled: true,
    config: configOf(await startTelling()),
  };
  expect((await ask('POST', `${parent}/js/destinations`, { destination })).status).toBe(200);
  const rotated = await ask('POST', `${parent}/js/destinations/webhooks:rotateSecret`, { secret: SECRETS.next });
  expect(rotated.status).toBe(200);
  const batch = ANSWERS.map((_answer, index) => ({ type: 'track', userId: 'u', event: 'E', messageId: `m${index}` }));
  await ask('POST', '/v1/batch', { writeKey: WRITE_KEY, batch });

  const attempted = (): number => log.lines.filter(({ message }) => message.startsWith('attempt ')).length;
  await expect.poll(attempted, { timeout: 30_000, interval: 20 }).toBeGreaterThanOrEqual(2 * ANSWERS.length);
  const list = `${parent}/js/destinations/webhooks/deliveries`;
  const { deliveries }: { deliveries: { name: string }[] } = JSON.parse(await (await ask('GET', list)).text());
  for (const { name } of deliveries) seen.push(await (await ask('GET', `/v1beta/${name}`)).text());
  expect(seen.join('').match(/\[masked\]/g)?.length).toBeGreaterThan(ANSWERS.length);

  const wrong = {
    name: `${source.name}/destinations/other`,
    config: [{ name: 'hooks', value: SECRETS.header, type: 'x' }],
  };
  const bad = {
    ...destination,
    config: [{ name: 'hooks', value: [{ hook: `x://a/${SECRETS.path}?${SECRETS.query}` }] }],
  };
  for (const one of [wrong, bad])
    seen.push(await (await ask('POST', `${parent}/js/destinations`, { destination: one })).text());
  for (const path of ['/metrics', '/readyz', '/healthz']) seen.push(await (await ask('GET', path)).text());
  seen.push(await (await ask('GET', '/v1beta/workspaces', undefined, `${TOKEN}x`)).text());
  seen.push(await (await ask('POST', '/v1/batch', { writeKey: `${WRITE_KEY}x`, batch })).text());

  for (const text of seen) expect(leaksIn(text, HIDDEN), text).toEqual([]);
  for (const line of log.lines) expect(leaksIn(JSON.stringify(line), HIDDEN), JSON.stringify(line)).toEqual([]);
});

test.each(ENCODINGS.map((encode) => encode(SECRETS.shared)))('a leak is found in %s', (encoded) => {
  expect(leaksIn(`{"excerpt":"it was ${encoded}."}`, HIDDEN)).toEqual([SECRETS.shared]);
  expect(leaksIn(`{"excerpt":"it was [masked]."}`, HIDDEN)).toEqual([]);
});
