import { expect, test } from 'vitest';
import { assertPlayable } from '../../fault-script/index.ts';
import { createReceiver, ScriptError, toScript } from '../../index.ts';
import { SOCKETS } from '../../receiver/index.ts';
import type { BackEnd } from '../../fault-script/index.ts';
import { MswEndpoint } from '../../msw/index.ts';

const WITHOUT_SOCKETS: BackEnd = {
  name: 'a back-end without sockets',
  refuses: ({ reset }) => (reset === undefined ? undefined : 'it has no connection to reset; use a receiver'),
};

test('a step that a back-end cannot do is refused with a reason', () => {
  expect(() => assertPlayable(toScript('503,reset:request'), WITHOUT_SOCKETS)).toThrow(
    'step 2 (reset:request): a back-end without sockets cannot play it: it has no connection to reset; use a receiver',
  );
  expect(() => assertPlayable(toScript('503,close:request'), WITHOUT_SOCKETS)).not.toThrow();
});

test.each(['dns_error', 'connect_refused', 'connect_timeout'])('real sockets refuse unreachable:%s', (how) => {
  expect(() => assertPlayable(toScript(`200,unreachable:${how}`), SOCKETS)).toThrow(/step 2 .* play it in process/);
});

test('a receiver does not start with a script that it cannot play', async () => {
  await expect(createReceiver({ script: 'unreachable:dns_error' })).rejects.toThrow(ScriptError);
});

test('a refused script leaves the old one playing', async () => {
  await using receiver = await createReceiver({ script: '503' });
  expect(() => receiver.setScript('unreachable:dns_error')).toThrow(ScriptError);
  expect(() => receiver.setScript('nonsense')).toThrow(ScriptError);
  expect(receiver.script).toEqual([{ status: 503 }]);
});

test('who waits at an endpoint in process can give up', async () => {
  using endpoint = new MswEndpoint({ url: 'http://hooks.test/hook' });
  const signal = AbortSignal.abort();
  await expect(endpoint.next({ signal })).rejects.toThrow('given up');
  await expect(endpoint.waitFor({ type: 'track', signal })).rejects.toThrow('given up');
  await expect(endpoint.waitFor({ count: 2, signal })).rejects.toThrow('given up');
  expect(endpoint.received).toEqual([]);
});
