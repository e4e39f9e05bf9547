import { afterEach, expect, test, vi } from 'vitest';
import { createReceiver } from '../../index.ts';
import { openControl } from '../../receiver/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { failureOf } from '../support/posting.ts';
import { serve } from '../support/served.ts';

function openHandles(): number {
  return process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
}

afterEach(async () => {
  await vi.waitFor(() => {
    if (openHandles() > 0) throw new Error(`${openHandles()} sockets are open after the test`);
  });
});

test('closing the control API ends its waits and its connections', async () => {
  const clock = new ManualClock();
  await using receiver = await createReceiver({ clock });
  const before = openHandles();
  const control = await openControl(receiver);
  const waiting = failureOf(fetch(`${control.url}/v1/wait?within=10m`));
  await clock.asleepFor(600_000);
  await Promise.all([control.close(), control.close()]);
  await waiting;
  await expect.poll(() => [openHandles(), clock.asleep]).toEqual([before, 0]);
});

test('the check above sees a control API that is left open', async () => {
  await using receiver = await createReceiver();
  const before = openHandles();
  await using control = await openControl(receiver);
  expect(openHandles()).toBeGreaterThan(before);
  await control.close();
});

test('a sender that gives up ends the request to the application as well', async () => {
  const ended = Promise.withResolvers<undefined>();
  const begun = Promise.withResolvers<undefined>();
  await using application = await serve((request) => {
    begun.resolve(undefined);
    request.once('close', () => ended.resolve(undefined));
  });
  await using receiver = await createReceiver({ forward: application.url });
  const left = new Promise((resolve) =>
    receiver.onEvent(({ kind }) => {
      if (kind !== 'received') resolve(kind);
    }),
  );
  const giveUp = new AbortController();
  const sending = failureOf(fetch(receiver.url, { method: 'POST', body: 'x', signal: giveUp.signal }));
  await begun.promise;
  giveUp.abort();
  await Promise.all([sending, ended.promise]);
  expect(await left).toBe('left');
});
