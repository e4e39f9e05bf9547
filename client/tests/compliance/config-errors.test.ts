import { describe, expect, test } from 'vitest';
import { ConfigApiError, type ConfigApiErrorKind, isConfigApiError } from '../../config/index.ts';
import { NAMED_ERRORS } from '../../config/config-api-error.ts';
import { contract } from '../support/config-contract.ts';
import { startConfigWorld } from '../support/config-world.ts';
import { answer, error } from '../support/config-stub.ts';
import { failureOf } from '../support/config-thrown.ts';

const NAME = 'workspaces/main';
const NAMED = Object.entries(NAMED_ERRORS).map(([kind, { status, code }]) => ({ kind, status, code }));
const ONCE = { retry: { maxRetries: 0 } };

describe('an error by the contract', () => {
  test.for(NAMED)('S 7.1: $status with code $code is $kind', async ({ kind, status, code }) => {
    await using world = await startConfigWorld();
    const { connect, stub } = world;
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

  test.for(Object.entries({ ...named, ...unnamed }))('%d without a body is %s', async ([text, kind]) => {
    await using world = await startConfigWorld();
    const { connect, stub } = world;
    const status = Number(text);
    for (const empty of [answer(status, '', { 'Content-Length': '0' }), answer(status), answer(status, ' \n')]) {
      stub.next(empty);
      const caught = await failureOf(connect(ONCE).workspaces.get(NAME));
      expect(caught).toMatchObject({ kind, status, code: undefined });
      expect(caught.message).toContain(`answered ${status} without a body`);
    }
  });

  test('S 7.1: its table is that of the document', () => {
    const { enum: codes } = contract.components.schemas.Status.properties.code;
    expect(NAMED.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual(codes);
    const documented = Object.values(contract.paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ responses }) => Object.entries(responses ?? {}))
      .flatMap(([status, { $ref }]) => ($ref === undefined ? [] : [Number(status)]));
    expect(documented.length).toBeGreaterThan(0);
    const table = new Set<number>(NAMED.map(({ status }) => status));
    expect(documented.filter((status) => status >= 400 && !table.has(status))).toEqual([]);
  });

  test('its code counts where the status says something else', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    stub.next(error(400, 5, 'filter does not exist'));
    expect(await failureOf(client.workspaces.get(NAME))).toMatchObject({ kind: 'NotFound', status: 400, code: 5 });
  });

  test('reaches the caller of every method', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
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
