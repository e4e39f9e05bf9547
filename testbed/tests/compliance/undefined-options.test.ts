import { expect, test } from 'vitest';
import { certifySender } from '../../certify-sender/index.ts';
import { certify, createReceiver, exampleOf, simulate, webhookRequest } from '../../index.ts';
import { configApiHandlers, MswEndpoint } from '../../msw/index.ts';
import { assertSent } from '../../node-test/index.ts';
import { signedAnew } from '../../recording/index.ts';
import { custom, SCHEMES, signedRequest } from '../../schemes/index.ts';
import { sentAs } from '../support/sent-as.ts';

const URL_OF_HOOK = 'http://127.0.0.1:9/hook';
const SIGNED = { url: URL_OF_HOOK, secret: 's3cret' };
const OWN = { header: 'X-Own', algorithm: 'SHA-256', encoding: 'hex' };
const RECORDED = { at: '2026-01-01T00:00:00.000Z', method: 'POST', path: '/', headers: [], body: Buffer.from('{}') };
const OUTAGE = { outage: 'brown-out', hours: 0.1, events: 1 };

/** Untyped, as callers in JavaScript are, and those whose compiler takes an optional key for one that may be undefined. */
const TAKERS: Readonly<Record<string, (options: object) => unknown>> = {
  webhookRequest: (options) => called(webhookRequest, exampleOf('track'), options),
  signedRequest: (options) => called(signedRequest, { ...SIGNED, body: {}, ...options }),
  signedAnew: (options) => called(signedAnew, RECORDED, { ...SIGNED, ...options }),
  createReceiver: async (options) => closed(await called(createReceiver, options)),
  endpoints: async (options) => closed(await called(createReceiver, { endpoints: { '/a': options } })),
  MswEndpoint: (options) => closed(Reflect.construct(MswEndpoint, [{ url: URL_OF_HOOK, ...options }])),
  certify: (options) => called(certify, { ...SIGNED, ...options }),
  certifySender: (options) => called(certifySender, { trigger: async () => undefined, budgetMs: 1, ...options }),
  simulate: (options) => called(simulate, { ...OUTAGE, ...options }),
  policy: (policy) => called(simulate, { ...OUTAGE, policy }),
  configApiHandlers: (options) => called(configApiHandlers, options),
  answers: (answers) => called(configApiHandlers, { answers }),
  custom: (options) => called(custom, { ...OWN, ...options }),
  timestamp: (timestamp) => called(custom, { ...OWN, timestamp: { header: 'X-At', ...timestamp } }),
  waitFor: async (filter) => {
    const receiver = await createReceiver();
    await receiver.close();
    await called(receiver.waitFor.bind(receiver), filter);
  },
  ...Object.fromEntries(
    ['toHaveDelivered', 'toMatchRetrySchedule', 'toRespectRate', 'toArriveInOrder', 'toBeSignedWith'].map((name) => [
      name,
      async (options: object) => asserted(name, options),
    ]),
  ),
};

function called(taker: unknown, ...given: readonly unknown[]): unknown {
  return typeof taker === 'function' ? Reflect.apply(taker, undefined, given) : undefined;
}

async function closed(opened: unknown): Promise<void> {
  if (typeof opened === 'object' && opened !== null && 'close' in opened && typeof opened.close === 'function')
    await Reflect.apply(opened.close, opened, []);
}

async function asserted(name: string, options: object): Promise<unknown> {
  const assertions = assertSent(await sentAs(SCHEMES.waybill, { script: '200', sent: [['first', 0]] }));
  const given = name === 'toBeSignedWith' ? ['s3cret', options] : [options];
  return called(Object.entries(assertions).find(([key]) => key === name)?.[1], ...given);
}

async function refusalOf(taker: string, options: object): Promise<string> {
  try {
    await TAKERS[taker]?.(options);
    return 'accepted';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test.each([
  ['webhookRequest', 'secret', ''],
  ['webhookRequest', 'signature', ''],
  ['webhookRequest', 'previousSecret', ''],
  ['signedRequest', 'scheme', ''],
  ['signedRequest', 'previous', ''],
  ['signedAnew', 'scheme', ''],
  ...['secret', 'scheme', 'script', 'forward', 'tls', 'outage', 'endpoints'].map((name) => [
    'createReceiver',
    name,
    '',
  ]),
  ...['secret', 'scheme', 'script', 'forward'].map((name) => ['endpoints', name, ' of the endpoint /a']),
  ...['secret', 'scheme', 'script'].map((name) => ['MswEndpoint', name, '']),
  ...['scheme', 'observer', 'event', 'idField', 'headers'].map((name) => ['certify', name, '']),
  ...['retryWithinMs', 'maxPerSecond', 'ordered', 'scheme', 'secret', 'idField', 'tls'].map((name) => [
    'certifySender',
    name,
    '',
  ]),
  ['simulate', 'policy', ''],
  ['policy', 'firstWaitMs', ' of the policy'],
  ['configApiHandlers', 'answers', ''],
  ['answers', 'getSource', ' of the option answers'],
  ['custom', 'timestamp', ' of custom'],
  ['custom', 'prefix', ' of custom'],
  ['timestamp', 'toleranceSeconds', ' of the option timestamp'],
  ['waitFor', 'type', ' of waitFor'],
  ...['type', 'event', 'id', 'count', 'headers'].map((name) => ['toHaveDelivered', name, ' of toHaveDelivered']),
  ['toMatchRetrySchedule', 'waits', ' of the schedule'],
  ['toRespectRate', 'perSecond', ' of toRespectRate'],
  ['toArriveInOrder', 'ids', ' of toArriveInOrder'],
  ['toBeSignedWith', 'scheme', ' of toBeSignedWith'],
])('%s refuses %s that is given and undefined', async (taker = '', name = '', whose = '') => {
  expect(await refusalOf(taker, { [name]: undefined })).toMatch(
    new RegExp(`^The (option )?${name}${whose} is undefined; give it a value, or leave it out$`),
  );
});

test.each([
  ['signedRequest', 'body', 'The option body is undefined; give text, bytes, or what is to be written as JSON'],
  ['simulate', 'outage', 'The option outage is undefined; give a name, such as brown-out, or an outage of your own'],
  ['custom', 'algorithm', 'The option algorithm is undefined; give one of SHA-1, SHA-256, SHA-512'],
])('%s says what it needs in the place of an undefined %s', async (taker, name, words) => {
  expect(await refusalOf(taker, { [name]: undefined })).toBe(words);
});

test.each(['createReceiver', 'webhookRequest', 'signedRequest', 'MswEndpoint'])(
  '%s takes an undefined that means its default',
  async (taker) => {
    const plain = { createReceiver: 'port', MswEndpoint: 'seed' }[taker] ?? 'at';
    expect(await refusalOf(taker, { [plain]: undefined })).toBe('accepted');
  },
);

test.each([
  ['webhookRequest', { sharedSecret: 's3cret' }, 'webhookRequest has no sharedSecret'],
  ['signedRequest', { sceme: 'stripe' }, 'signedRequest has no sceme; did you mean scheme?'],
  ['MswEndpoint', { scirpt: '503' }, 'The endpoint has no scirpt; did you mean script?'],
  ['certify', { observr: URL_OF_HOOK }, 'certify has no observr; did you mean observer?'],
  ['certifySender', { maxPerSeconds: 5 }, 'certifySender has no maxPerSeconds; did you mean maxPerSecond?'],
  ['simulate', { hour: 1 }, 'simulate has no hour; did you mean hours?'],
  ['policy', { firstWait: 1 }, 'The policy has no firstWait; did you mean firstWaitMs?'],
  ['configApiHandlers', { answer: {} }, 'configApiHandlers has no answer; did you mean answers?'],
  ['answers', { getSources: {} }, 'The option answers has no getSources; did you mean getSource?'],
])('%s refuses a name that it does not know, %j', async (taker, options, words) => {
  expect(await refusalOf(taker, options)).toContain(words);
});
