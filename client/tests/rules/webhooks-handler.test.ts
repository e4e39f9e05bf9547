import { expect, test } from 'vitest';
import {
  expressWebhook,
  fastifyWebhook,
  handleWebhook,
  koaWebhook,
  nodeWebhook,
  webWebhook,
} from '../../webhooks/index.ts';
import type { Rejection } from '../../webhooks/handler.ts';
import { sign } from '../../webhooks/signature.ts';
import { BODIES } from '../support/webhooks-bodies.ts';

const SECRET = 's3cret';
const BODY = JSON.stringify(BODIES.track);
const ignore = () => undefined;

test('HOOK-5: a signed event is handed over, and answered 200', async () => {
  const events: unknown[] = [];
  const request = { body: BODY, signature: await sign(SECRET, BODY) };
  const answer = await handleWebhook(request, { secret: SECRET, onEvent: (event) => void events.push(event) });
  expect(answer.status).toBe(200);
  expect(events).toEqual([BODIES.track]);
});

test('both secrets are taken while one replaces the other', async () => {
  for (const used of ['new', 'old']) {
    const request = { body: BODY, signature: await sign(used, BODY) };
    expect(await handleWebhook(request, { secret: ['new', 'old'], onEvent: ignore })).toMatchObject({ status: 200 });
  }
});

test.each([
  ['a wrong one', async () => sign('another', BODY), 'not valid', 'unexplained'],
  ['one in upper case', async () => (await sign(SECRET, BODY)).toUpperCase(), 'not valid', 'explained'],
  ['none', async () => undefined, 'missing', 'explained'],
])('a request with %s as its signature is answered 401, with a diagnosis', async (_what, make, reason, verdict) => {
  const rejections: Rejection[] = [];
  const answer = await handleWebhook(
    { body: BODY, signature: await make() },
    { secret: SECRET, onEvent: () => expect.unreachable(), onRejected: (rejection) => rejections.push(rejection) },
  );
  expect(answer).toEqual({ status: 401, text: `the signature is ${reason}` });
  expect(rejections).toMatchObject([{ status: 401, diagnosis: { verdict } }]);
});

test('an event that cannot be handled is answered 500, to be sent again', async () => {
  const errors: unknown[] = [];
  const answer = await handleWebhook(
    { body: BODY, signature: await sign(SECRET, BODY) },
    { secret: SECRET, onEvent: () => Promise.reject(new Error('disk full')), onError: (error) => errors.push(error) },
  );
  expect(answer).toEqual({ status: 500, text: 'the event could not be handled' });
  expect(errors).toEqual([new Error('disk full')]);
});

test('an unknown kind is answered 200, and a broken body 400', async () => {
  expect(await sendUnexpected('{"type":"merge"}')).toMatchObject({ status: 200 });
  expect(await sendUnexpected('{"type":"track"}')).toMatchObject({ status: 400 });
});

/** Signed well, and holding what must not reach the application. */
async function sendUnexpected(body: string) {
  const signature = await sign(SECRET, body);
  return handleWebhook({ body, signature }, { secret: SECRET, onEvent: () => expect.unreachable() });
}

test.each(['', []])('the secret %j is refused: everybody could send', async (secret) => {
  const handling = handleWebhook({ body: BODY, signature: 'x' }, { secret, onEvent: ignore });
  await expect(handling).rejects.toThrow('The option secret is empty');
});

test('an adapter without onEvent is refused when it is made, not at the first event', () => {
  expect(() => Reflect.apply(nodeWebhook, undefined, [{ secret: SECRET }])).toThrow(
    'The option onEvent must be a function, got: undefined',
  );
});

test.each(Object.entries({ expressWebhook, fastifyWebhook, koaWebhook, nodeWebhook, webWebhook }))(
  '%s without options says what to give, and never the secret',
  (_name, adapter) => {
    const way = "give an object with secret and onEvent: { secret: '<sharedSecret of the destination>', onEvent:";
    expect(() => Reflect.apply(adapter, undefined, [])).toThrow(`The options are undefined; ${way}`);
    expect(() => Reflect.apply(adapter, undefined, [SECRET])).toThrow(`The options are of type string; ${way}`);
  },
);

test('handleWebhook without options says what to give', async () => {
  const handling: unknown = Reflect.apply(handleWebhook, undefined, [{ body: BODY, signature: 'x' }]);
  await expect(handling).rejects.toThrow('The options are undefined; give an object with secret and onEvent');
});

test.each([
  [undefined, 'undefined'],
  [null, 'null'],
  [['new', undefined], 'undefined'],
  [Buffer.from('s3cret'), 'of type object'],
])('an adapter says of the secret %j that it is %s, when it is made', (secret, seen) => {
  const make = () => Reflect.apply(nodeWebhook, undefined, [{ secret, onEvent: ignore }]);
  expect(make).toThrow(`The option secret is ${seen}; give the value of the destination’s \`sharedSecret\``);
});
