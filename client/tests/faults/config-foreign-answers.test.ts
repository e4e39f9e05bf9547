import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ConfigApiError } from '../../config/index.ts';
import { answer } from '../support/config-stub.ts';
import { failureOf } from '../support/config-thrown.ts';
import { startConfigWorld } from '../support/config-world.ts';

const NAME = 'workspaces/main';
const ONCE = { retry: { maxRetries: 0 } };
const HTML = '<html><body>Bad gateway</body></html>';
const UPSTREAM = 'upstream connect error or disconnect/reset before headers';

describe('an answer that is not of this API', () => {
  test.for([
    [503, UPSTREAM, 'Unroutable'],
    [503, `${UPSTREAM}. reset reason: connection failure`, 'Unroutable'],
    [503, 'down for maintenance', 'UnexpectedAnswer'],
    [502, UPSTREAM, 'UnexpectedAnswer'],
    [502, HTML, 'UnexpectedAnswer'],
    [502, '', 'UnexpectedAnswer'],
    [404, HTML, 'UnexpectedAnswer'],
    [404, '{"message":"no such route"}', 'UnexpectedAnswer'],
    [400, '{"error":{"code":3},"code":3}', 'UnexpectedAnswer'],
    [400, '{"error":"cut off', 'UnexpectedAnswer'],
    [400, '{"error":"of a later version","code":99}', 'UnexpectedAnswer'],
    [418, '', 'UnexpectedAnswer'],
  ] as const)('%d with %j is %s', async ([status, body, kind]) => {
    await using world = await startConfigWorld();
    const { connect, stub } = world;
    stub.next(answer(status, body));
    const caught = await failureOf(connect(ONCE).workspaces.get(NAME));
    expect(caught).toMatchObject({ kind, status });
    expect(caught.message).toContain(body === '' || body.includes('99') ? `answered ${status}` : body);
  });

  test.for(['', HTML, 'null', '[]', '{}', '"text"', '{"name":7}', '{"name":"workspaces/ma'])(
    '200 with %j is an UnexpectedAnswer, with nothing of it shown',
    async (body) => {
      await using world = await startConfigWorld();
      const { client, stub } = world;
      stub.next(answer(200, body));
      const caught = await failureOf(client.workspaces.get(NAME));
      expect(caught).toMatchObject({ kind: 'UnexpectedAnswer', status: 200, code: undefined });
      expect(caught.message).toMatch(
        /answered 200 with a body that is not of this API: it is no resource with a name$/,
      );
    },
  );

  test('a redirect is not followed', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    stub.next(answer(302, '', { Location: `${stub.url}/v1beta/workspaces/other` }));
    expect(await failureOf(client.workspaces.get(NAME))).toMatchObject({ kind: 'UnexpectedAnswer', status: 302 });
    expect(stub.received).toHaveLength(1);
  });

  test('a long page is shown from its beginning only', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    stub.next(answer(502, `<html>${'x'.repeat(10_000)}`));
    const { message } = await failureOf(client.workspaces.get(NAME));
    expect(message).toContain('<html>x');
    expect(message.length).toBeLessThan(700);
  });

  test.for(['{}', '', '{"more":1}'])('D-1: a delete takes %j as done', async (body) => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    stub.next(answer(200, body), answer(204));
    expect(await client.workspaces.delete(NAME)).toBeUndefined();
    expect(await client.workspaces.delete(NAME)).toBeUndefined();
  });

  test('a delete takes no page of a proxy as done', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    stub.next(answer(200, HTML));
    expect(await failureOf(client.workspaces.delete(NAME))).toMatchObject({ kind: 'UnexpectedAnswer' });
  });
});

describe('no answer', () => {
  test('at all is a Network error, with what happened', async () => {
    await using world = await startConfigWorld();
    const { connect } = world;
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    server.close();
    await once(server, 'close');
    const caught = await failureOf(connect({ baseUrl: `http://127.0.0.1:${port}` }).workspaces.get(NAME));
    expect(caught).toMatchObject({ kind: 'Network', status: undefined, code: undefined, attempts: 1 });
    expect(caught.message).toContain('ECONNREFUSED');
    expect(caught.cause).toBeInstanceOf(TypeError);
  });

  test('at any address of a name says why as well', async () => {
    await using world = await startConfigWorld();
    const refused = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}:8080`));
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause: new AggregateError(refused) }));
    const { message } = await failureOf(world.connect({ fetch }).workspaces.get(NAME));
    expect(message).toMatch(/got no answer: fetch failed: connect ECONNREFUSED ::1:8080$/);
  });

  test('but a connection that breaks is a Network error', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    stub.next((request) => request.socket.destroy());
    expect(await failureOf(client.workspaces.get(NAME))).toMatchObject({
      kind: 'Network',
      cause: expect.any(TypeError),
    });
  });

  test('that is complete is a Network error', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    stub.next((_request, response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('{"name":', () => response.destroy());
    });
    expect(await failureOf(client.workspaces.get(NAME))).toMatchObject({ kind: 'Network', status: undefined });
  });

  test('for lack of a body that JSON can express is the mistake of the caller', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    const rules: Record<string, unknown> = {};
    rules['itself'] = rules;
    const creating = client.trackingPlans.create(NAME, { display_name: '', rules });
    await expect(creating).rejects.toThrow(TypeError);
    await expect(creating).rejects.not.toBeInstanceOf(ConfigApiError);
    expect(stub.received).toEqual([]);
  });
});
