import { expect, test } from 'vitest';
import type { MembershipWish } from '../../audit/membership-audit.ts';
import { createReceiver } from '../../index.ts';
import { deliveryMatchers } from '../../vitest/index.ts';
import { post } from '../support/posting.ts';

expect.extend(deliveryMatchers);

const told = (user: string, value: unknown, messageId = `${user} ${JSON.stringify(value)}`) =>
  JSON.stringify({ type: 'identify', messageId, userId: user, traits: { big_spenders: value } });

async function receiverOf(bodies: readonly string[], script = '200') {
  const receiver = await createReceiver({ script });
  for (const body of bodies) await post(receiver.url, body);
  return receiver;
}

test('AUD-8: the last call that was taken counts', async () => {
  await using receiver = await receiverOf([told('u1', true), told('u2', true), told('u1', false)]);
  expect(receiver).toHaveBeenToldMembership({ audience: 'big_spenders', user: 'u1', value: false });
  expect(receiver).toHaveBeenToldMembership({ audience: 'big_spenders', user: 'u2' });
  expect(() => expect(receiver).toHaveBeenToldMembership({ audience: 'big_spenders', user: 'u1' })).toThrow(
    'told last that big_spenders of u1 is false',
  );
});

test('AUD-8: a call that was refused at first counts when it was taken', async () => {
  await using receiver = await receiverOf([told('u1', true, 'm1'), told('u1', true, 'm1')], '503,200');
  expect(receiver).toHaveBeenToldMembership({ audience: 'big_spenders', user: 'u1' });
});

test('AUD-3: a value that is told a second time is found', async () => {
  await using receiver = await receiverOf([told('u1', true, 'm1'), told('u1', true, 'm2')]);
  expect(() => expect(receiver).toHaveBeenToldMembership({ audience: 'big_spenders', user: 'u1' })).toThrow(
    'told once more that big_spenders of u1 is true',
  );
});

const wish = (user: string) => ({ audience: 'big_spenders', user });

test('a user of whom nothing came, or nothing was taken, was not told', async () => {
  await using receiver = await receiverOf([told('u1', true)], '500 x*');
  expect(() => expect(receiver).toHaveBeenToldMembership(wish('u1'))).toThrow('1 call was not accepted');
  expect(() => expect(receiver).toHaveBeenToldMembership(wish('u2'))).toThrow('no call was about both');
  expect(() => expect(receiver).toHaveBeenToldMembership({ ...wish('u1'), audience: 'others' })).toThrow(
    'no call was about both',
  );
});

test.each([
  ['{"audience":"big_spenders"}', 'a membership needs the user that is told, got undefined'],
  ['{"audience":"","user":"u1"}', 'a membership needs the audience (its key) that is told, got ""'],
])('the wish %s, which lacks a name, is refused', async (text, refusal) => {
  await using receiver = await receiverOf([told('u1', true)]);
  const lacking: MembershipWish = JSON.parse(text);
  expect(() => expect(receiver).toHaveBeenToldMembership(lacking)).toThrow(refusal);
});

test('a computed trait is compared by its value', async () => {
  await using receiver = await receiverOf([told('u1', ['a', 'b'])]);
  expect(receiver).toHaveBeenToldMembership({ audience: 'big_spenders', user: 'u1', value: ['a', 'b'] });
});
