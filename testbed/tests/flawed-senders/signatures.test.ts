import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signatureHeaders, type SignatureSetting, type Signing } from '../../../server/delivery/signatures.ts';
import { newSharedSecret, standardKey } from '../../../server/model/shared-secret.ts';
import type { Observed } from '../../audit/observed.ts';
import { textOf } from '../../receiver/received.ts';
import { START } from '../../simulation/simulate.ts';
import { deliveryMatchers } from '../../vitest/index.ts';
import { observe } from '../support/sender.ts';

const [OLD, NEXT] = [newSharedSecret('hmac-sha256'), newSharedSecret('hmac-sha256')];
const HOUR = 3_600_000;
/** The end of the overlap of both secrets. */
const UNTIL = START + HOUR;
const SENT = await observe({ script: '503x2,200', events: 12, hours: 2 });
const [DURING, AFTER] = [SENT.filter(({ at }) => at < UNTIL), SENT.filter(({ at }) => at >= UNTIL)];
const ROTATION: Signing = { sharedSecret: NEXT, previous: { secret: OLD, until: UNTIL } };

type Headers = Readonly<Record<string, string>>;

function signed(each: Observed, headers: Headers): Observed {
  const others = each.headers.filter(([name]) => name.toLowerCase() !== 'x-signature');
  return { ...each, headers: [...others, ...Object.entries(headers)] };
}

function headersOf(each: Observed, signing: Signing): Record<string, string> {
  const { at, body } = each;
  return signatureHeaders(signing, { messageId: textOf(each, 'messageId') ?? '', at, body });
}

async function complaint(sent: readonly Observed[], secret: string): Promise<string | undefined> {
  const { pass, message } = await deliveryMatchers.toBeSignedWith(sent, secret);
  return pass ? undefined : message();
}

/** What is said of the requests of a rotation: both secrets are valid up to its end, and the new one alone behind it. */
async function complaints(signing: Signing): Promise<string[]> {
  const of = (some: readonly Observed[]) => some.map((each) => signed(each, headersOf(each, signing)));
  const said = [await complaint(of(DURING), OLD), await complaint(of(DURING), NEXT), await complaint(of(AFTER), NEXT)];
  const isOver = (await complaint(of(AFTER), OLD)) !== undefined;
  return [...said.filter((one) => one !== undefined), ...(isOver ? [] : ['the old secret is still in use'])];
}

const FLAWED_ROTATIONS: Readonly<Record<string, Signing>> = {
  'takes the new secret at once': { sharedSecret: NEXT },
  'keeps the old one alone': { sharedSecret: OLD },
  'goes on with the old one after its end': { ...ROTATION, previous: { secret: OLD, until: UNTIL + 2 * HOUR } },
  'ends the overlap early': { ...ROTATION, previous: { secret: OLD, until: UNTIL - HOUR / 2 } },
  'signs with a third one': { sharedSecret: newSharedSecret('hmac-sha256') },
};

const SETTINGS: readonly SignatureSetting[] = ['x-signature', 'standard-webhooks'];

test.each(SETTINGS)(
  'HOOK-23: toBeSignedWith has no complaint about a rotation of production with %s',
  async (signature) => {
    expect([DURING.length > 5, AFTER.length > 5]).toEqual([true, true]);
    expect(await complaints({ ...ROTATION, signature })).toEqual([]);
  },
);

test.each(SETTINGS.flatMap((setting) => Object.keys(FLAWED_ROTATIONS).map((flaw) => [flaw, setting] as const)))(
  'a sender that %s is caught, with %s',
  async (flaw, signature) => {
    expect(await complaints({ sharedSecret: NEXT, ...FLAWED_ROTATIONS[flaw], signature })).not.toEqual([]);
  },
);

/** What a sender may make of Standard Webhooks, from the headers that are right. */
const FLAWED_STANDARD: Readonly<Record<string, (right: Headers, body: Uint8Array) => Headers>> = {
  'signs the body alone': (right, body) => ({ ...right, 'webhook-signature': standard('', body) }),
  'signs no id': (right, body) => ({
    ...right,
    'webhook-signature': standard(`${right['webhook-timestamp']}.`, body),
  }),
  'signs another id than it sends': (right) => ({ ...right, 'webhook-id': `${right['webhook-id']}-2` }),
  'signs milliseconds': (right, body) => ({
    ...right,
    'webhook-signature': standard(`${right['webhook-id']}.${right['webhook-timestamp']}000.`, body),
  }),
  'takes the text of the secret for the key': (right, body) => ({
    ...right,
    'webhook-signature': standard(`${right['webhook-id']}.${right['webhook-timestamp']}.`, body, NEXT),
  }),
  'writes hex in the place of base64': (right) => ({
    ...right,
    'webhook-signature': `v1,${Buffer.from(right['webhook-signature']?.slice(3) ?? '', 'base64').toString('hex')}`,
  }),
  'leaves the version out': (right) => ({ ...right, 'webhook-signature': right['webhook-signature']?.slice(3) ?? '' }),
  'sends no signature': () => ({}),
};

function standard(before: string, body: Uint8Array, key?: string): string {
  const { algorithm, key: own } = standardKey(NEXT);
  const hmac = createHmac('sha256', key ?? (algorithm === 'hmac-sha256' ? own : ''));
  return `v1,${hmac.update(before).update(body).digest('base64')}`;
}

test.each(Object.entries(FLAWED_STANDARD))('a sender of Standard Webhooks that %s is caught', async (_name, flaw) => {
  const right = (each: Observed): Headers => headersOf(each, { sharedSecret: NEXT, signature: 'standard-webhooks' });
  const wrong = SENT.map((each) => signed(each, flaw(right(each), each.body)));
  expect(await complaint(wrong, NEXT)).toMatch(/signature/);
  expect(
    await complaint(
      SENT.map((each) => signed(each, right(each))),
      NEXT,
    ),
  ).toBeUndefined();
});
