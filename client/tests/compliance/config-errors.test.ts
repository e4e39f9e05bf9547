import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test as base } from 'vitest';
import { ConfigApiError, type ConfigApiErrorKind, isConfigApiError } from '../../config/index.ts';
import { NAMED_ERRORS } from '../../config/config-api-error.ts';
import { contract } from '../support/config-contract.ts';
import { type ConfigFixtures, configFixtures } from '../support/config-fixture.ts';
import { answer, error } from '../support/config-stub.ts';
import { failureOf } from '../support/config-thrown.ts';

const test = base.extend<ConfigFixtures>(configFixtures);

const NAME = 'workspaces/main';
const NAMED = Object.entries(NAMED_ERRORS).map(([kind, { status, code }]) => ({ kind, status, code }));
const ONCE = { retry: { maxRetries: 0 } };
const HTML = '<html><body>Bad gateway</body></html>';
const UPSTREAM = 'upstream connect error or disconnect/reset before headers';

describe('an error by the contract', () => {
  test.for(NAMED)('S 7.1: $status with code $code is $kind', async ({ kind, status, code }, { connect, stub }) => {
    stub.next(error(status, code, 'what was wrong'));
    const caught = await failureOf(connect(ONCE).workspaces.get(NAME));
    expect(caught).toMatchObject({ kind, status, code, attempts: 1, retryAfterMs: undefined });
    expect(caught.cause).toBeUndefined();
    expect(caught.request).toEqual({ method: 'GET', url: `${stub.url}/v1beta/${NAME}` });
    expect(caught.message).toBe(
      `${kind}: GET ${stub.url}/v1beta/${NAME} answered ${status}, code ${code}: what was wrong`,
    );
  });

  const unnamed = { 404: 'UnexpectedAnswer', 409: 'UnexpectedAnswer' };
  const named = Object.fromEntries(NAMED.map(({ kind, status }) => [status, kind]));

  test.for(Object.entries({ ...named, ...unnamed }))(
    '%d without a body is %s',
    async ([text, kind], { connect, stub }) => {
      const status = Number(text);
      for (const empty of [answer(status, '', { 'Content-Length': '0' }), answer(status), answer(status, ' \n')]) {
        stub.next(empty);
        const caught = await failureOf(connect(ONCE).workspaces.get(NAME));
        expect(caught).toMatchObject({ kind, status, code: undefined });
        expect(caught.message).toContain(`answered ${status} without a body`);
      }
    },
  );

  test('S 7.1: its table is that of the document', () => {
    const { enum: codes } = contract.components.schemas.Status.properties.code;
    expect(NAMED.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual(codes);
    const documented = Object.values(contract.paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ responses }) => Object.entries(responses ?? {}))
      .flatMap(([status, { $ref }]) => ($ref === undefined ? [] : [[$ref.split('/').at(-1), Number(status)] as const]));
    expect(documented.length).toBeGreaterThan(0);
    const table = new Map<string | undefined, number>(NAMED.map(({ kind, status }) => [kind, status]));
    for (const [kind, status] of documented) expect(table.get(kind)).toBe(status);
  });

  test('its code counts where the status says something else', async ({ client, stub }) => {
    stub.next(error(400, 5, 'filter does not exist'));
    expect(await failureOf(client.workspaces.get(NAME))).toMatchObject({ kind: 'NotFound', status: 400, code: 5 });
  });

  test('reaches the caller of every method', async ({ client, stub }) => {
    const calls = [
      () => client.sources.get('workspaces/main/sources/js'),
      () => client.sources.create({ name: 'workspaces/main/sources/js' }),
      () => client.sources.update('workspaces/main/sources/js', { display_name: '' }),
      () => client.sources.delete('workspaces/main/sources/js'),
      () => Array.fromAsync(client.sources.list('workspaces/main')),
    ];
    for (const call of calls) {
      stub.next(error(403, 7, 'insufficient scope'));
      expect(await failureOf(call())).toMatchObject({ kind: 'PermissionDenied', code: 7 });
    }
  });
});

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
  ] as const)('%d with %j is %s', async ([status, body, kind], { connect, stub }) => {
    stub.next(answer(status, body));
    const caught = await failureOf(connect(ONCE).workspaces.get(NAME));
    expect(caught).toMatchObject({ kind, status });
    expect(caught.message).toContain(body === '' || body.includes('99') ? `answered ${status}` : body);
  });

  test.for(['', HTML, 'null', '[]', '{}', '"text"', '{"name":7}', '{"name":"workspaces/ma'])(
    '200 with %j is an UnexpectedAnswer, with nothing of it shown',
    async (body, { client, stub }) => {
      stub.next(answer(200, body));
      const caught = await failureOf(client.workspaces.get(NAME));
      expect(caught).toMatchObject({ kind: 'UnexpectedAnswer', status: 200, code: undefined });
      expect(caught.message).toMatch(
        /answered 200 with a body that is not of this API: it is no resource with a name$/,
      );
    },
  );

  test('a redirect is not followed', async ({ client, stub }) => {
    stub.next(answer(302, '', { Location: `${stub.url}/v1beta/workspaces/other` }));
    expect(await failureOf(client.workspaces.get(NAME))).toMatchObject({ kind: 'UnexpectedAnswer', status: 302 });
    expect(stub.received).toHaveLength(1);
  });

  test('a long page is shown from its beginning only', async ({ client, stub }) => {
    stub.next(answer(502, `<html>${'x'.repeat(10_000)}`));
    const { message } = await failureOf(client.workspaces.get(NAME));
    expect(message).toContain('<html>x');
    expect(message.length).toBeLessThan(700);
  });

  test.for(['{}', '', '{"more":1}'])('D-1: a delete takes %j as done', async (body, { client, stub }) => {
    stub.next(answer(200, body), answer(204));
    expect(await client.workspaces.delete(NAME)).toBeUndefined();
    expect(await client.workspaces.delete(NAME)).toBeUndefined();
  });

  test('a delete takes no page of a proxy as done', async ({ client, stub }) => {
    stub.next(answer(200, HTML));
    expect(await failureOf(client.workspaces.delete(NAME))).toMatchObject({ kind: 'UnexpectedAnswer' });
  });
});

describe('no answer', () => {
  test('at all is a Network error, with what happened', async ({ connect }) => {
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

  test('but a connection that breaks is a Network error', async ({ client, stub }) => {
    stub.next((request) => request.socket.destroy());
    expect(await failureOf(client.workspaces.get(NAME))).toMatchObject({
      kind: 'Network',
      cause: expect.any(TypeError),
    });
  });

  test('that is complete is a Network error', async ({ client, stub }) => {
    stub.next((_request, response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('{"name":', () => response.destroy());
    });
    expect(await failureOf(client.workspaces.get(NAME))).toMatchObject({ kind: 'Network', status: undefined });
  });

  test('for lack of a body that JSON can express is the mistake of the caller', async ({ client, stub }) => {
    const rules: Record<string, unknown> = {};
    rules['itself'] = rules;
    const creating = client.trackingPlans.create(NAME, { display_name: '', rules });
    await expect(creating).rejects.toThrow(TypeError);
    await expect(creating).rejects.not.toBeInstanceOf(ConfigApiError);
    expect(stub.received).toEqual([]);
  });
});

describe('isConfigApiError', () => {
  test('tells the kinds that it is asked for', () => {
    expect(isConfigApiError(errorOf('NotFound'))).toBe(true);
    expect(isConfigApiError(errorOf('NotFound'), 'NotFound')).toBe(true);
    expect(isConfigApiError(errorOf('NotFound'), 'Timeout', 'NotFound')).toBe(true);
    expect(isConfigApiError(errorOf('NotFound'), 'Timeout', 'Network')).toBe(false);
    expect(isConfigApiError(new TypeError('NotFound'))).toBe(false);
    expect(isConfigApiError({ kind: 'NotFound' })).toBe(false);
  });
});

function errorOf(kind: ConfigApiErrorKind): unknown {
  return new ConfigApiError({ kind, message: '', request: { method: 'GET', url: '' }, attempts: 1 });
}
