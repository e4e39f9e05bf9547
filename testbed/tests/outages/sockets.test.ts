import { request } from 'node:https';
import { expect, test } from 'vitest';
import { createReceiver, printScript, type Receiver, type ReceiverOptions } from '../../index.ts';
import { OUTAGES } from '../../outages/index.ts';
import { outageNamed } from '../../outages/outages.ts';
import { socketPhases } from '../../outages/socket-outage.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { failureOf, nextEvent, post } from '../support/posting.ts';

const MINUTE = 60_000;
const BODY = '{"type":"track"}';

/** A POST that trusts the receiver's authority: the status, or the code of what went wrong. */
async function postTo({ url, ca }: Receiver): Promise<number | string> {
  return new Promise((resolve) => {
    const outgoing = request(url, { method: 'POST', ca, agent: false }, (answer) => {
      resolve(answer.resume().statusCode ?? 0);
    });
    outgoing.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)).end(BODY);
  });
}

test('a brown-out plays its phases, so many times as fast, and then what the receiver was given', async () => {
  const clock = new ManualClock();
  await using receiver = await createReceiver({ clock, outage: 'brown-out', speed: 60, script: '201' });
  await clock.asleepFor(10_000);
  expect(printScript(receiver.script)).toBe('delay:8s~0.5 x*');
  clock.advance(10_000);
  await clock.asleepFor(5_000);
  expect(printScript(receiver.script)).toBe('delay:2s~0.5 x*');
  const scripted = nextEvent(receiver, 'scripted');
  clock.advance(5_000);
  await scripted;
  expect((await post(receiver.url, BODY)).status).toBe(201);
});

test('a script that is set during an outage is played after it', async () => {
  const clock = new ManualClock();
  await using receiver = await createReceiver({ clock, outage: 'challenge-page' });
  await clock.asleepFor(15 * MINUTE);
  expect((await post(receiver.url, BODY)).status).toBe(403);
  receiver.setScript('202');
  const scripted = nextEvent(receiver, 'scripted');
  clock.advance(15 * MINUTE);
  await scripted;
  expect((await post(receiver.url, BODY)).status).toBe(202);
});

test('an expired certificate is shown until it is renewed, and no byte is read meanwhile', async () => {
  const clock = new ManualClock();
  await using receiver = await createReceiver({ clock, tls: 'none', outage: 'certificate-expiry', speed: 90 });
  await clock.asleepFor(MINUTE);
  expect(await postTo(receiver)).toBe('CERT_HAS_EXPIRED');
  expect(receiver.received).toEqual([]);
  const renewed = nextEvent(receiver, 'scripted');
  clock.advance(MINUTE);
  await renewed;
  expect(await postTo(receiver)).toBe(200);
});

test('an endpoint that is dead refuses connections, and comes back on its port', async () => {
  const clock = new ManualClock();
  await using receiver = await createReceiver({ clock, outage: 'dead', speed: 300 });
  await clock.asleepFor(MINUTE);
  expect(await failureOf(post(receiver.url, BODY))).toBe('ECONNREFUSED');
  const back = nextEvent(receiver, 'scripted');
  clock.advance(MINUTE);
  await back;
  expect((await post(receiver.url, BODY)).status).toBe(200);
});

test('a receiver closes in the midst of an outage, also while it is gone', async () => {
  for (const outage of ['dead', 'half-open'] as const) {
    const clock = new ManualClock();
    const receiver = await createReceiver({ clock, outage });
    await receiver.close();
    await expect.poll(() => clock.asleep).toBe(0);
  }
});

test.each<[options: ReceiverOptions, message: string]>([
  [{ outage: 'dns-flap' }, 'names are resolved before the connection; play it in virtual time with simulate('],
  [{ outage: 'certificate-expiry' }, "The outage certificate-expiry needs TLS; add tls: 'none' (--tls)"],
  [{ outage: 'brown-uot' }, '"brown-uot" is no outage; did you mean brown-out?'],
  [{ speed: 60 }, 'The option speed is for an outage'],
  [{ outage: 'dead', speed: 0 }, 'The option speed is 0; give a number above 0'],
  [{ outage: 'dead', speed: Number.NaN }, 'The option speed is NaN'],
])('%j is refused with the reason', async (options, message) => {
  await expect(createReceiver(options)).rejects.toThrow(message);
});

test('of the library sockets play all but what is about names', () => {
  const refused = OUTAGES.filter(({ name }) => {
    try {
      socketPhases(outageNamed(name), 1, true);
      return false;
    } catch {
      return true;
    }
  });
  expect(refused.map(({ name }) => name)).toEqual(['dns-flap']);
});

test('an outage in which only some requests find nobody is refused', () => {
  const phases = [{ lasts: '1m', script: 'unreachable:connect_refused,200' }] as const;
  const outage = { name: 'half-gone', story: '', expects: '', phases };
  expect(() => socketPhases(outage, 1, false)).toThrow('an endpoint cannot be gone for some requests only');
});
