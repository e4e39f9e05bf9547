import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ConfigApiError } from '../../config/index.ts';
import { redact } from '../../config/redact.ts';
import { startConfigWorld } from '../support/config-world.ts';
import { answer, error, type Fault, TOKEN } from '../support/config-stub.ts';
import { thrownBy } from '../support/config-thrown.ts';

const NAME = 'workspaces/main';
const ONCE = { retry: { maxRetries: 0 } };

/** Answers with the headers that came, as debugging proxies do. */
const echo: Fault = (request, response) => void response.writeHead(502).end(JSON.stringify(request.headers));

describe('the access token', () => {
  test.for([
    ['an error that quotes it', error(401, 16, `no such token: ${TOKEN}`)],
    ['a proxy that echoes the headers', echo],
    ['a page that holds it', answer(500, `<p>${TOKEN}</p>`)],
    ...[0, 8, 16, 24].map(
      (start) =>
        [`a page where the text is cut (${start})`, answer(500, 'x'.repeat(start) + TOKEN.repeat(30))] as const,
    ),
    ['a text of no service', answer(503, `upstream connect error ${TOKEN}`)],
    ['a success that is none', answer(200, JSON.stringify({ token: TOKEN }))],
    ['a broken connection', ((request) => request.socket.destroy()) satisfies Fault],
  ] as const)('stays out of errors after %s', async ([, fault]) => {
    await using world = await startConfigWorld();
    const { connect, stub } = world;
    stub.next(fault);
    const shown = await everythingOf(connect(ONCE).workspaces.get(NAME));
    expect(stub.received[0]?.headers.authorization).toContain(TOKEN);
    expect(shown).toContain('ConfigApiError');
    for (let end = 8; end <= TOKEN.length; end += 1) expect(shown).not.toContain(TOKEN.slice(0, end));
  });

  test('stays out of errors when a fetch tells it', async () => {
    await using world = await startConfigWorld();
    const { connect } = world;
    const client = connect({
      fetch: (request) => Promise.reject(new Error(`no route for ${request.headers.get('Authorization')}`)),
    });
    const caught = await thrownBy(client.workspaces.get(NAME));
    expect(caught).toBeInstanceOf(ConfigApiError);
    expect(String(caught)).toContain('no route for Bearer <token>');
  });

  test('stays out of errors when it was taken for an id', async () => {
    await using world = await startConfigWorld();
    const { client } = world;
    const shown = await everythingOf(client.accessTokens.get(`access-tokens/${TOKEN}`));
    expect(shown).not.toContain(TOKEN);
  });

  test('this test would see it', async () => {
    await using world = await startConfigWorld();
    const { connect, stub } = world;
    stub.next(error(401, 16, `no such token: ${TOKEN}`));
    const other = connect({ ...ONCE, token: 'another-token' });
    expect(await everythingOf(other.workspaces.get(NAME))).toContain(TOKEN);
  });

  test.for(['plain', 'with"quote', 'back\\slash', 'a+b/c=='])('is found in every spelling: %s', (token) => {
    const spellings = [token, JSON.stringify({ token }), encodeURIComponent(token)];
    expect(redact(spellings.join(' '), token)).toBe('<token> {"token":"<token>"} <token>');
  });
});

/** Whatever a log could print of an error. */
async function everythingOf(call: Promise<unknown>): Promise<string> {
  const caught = await thrownBy(call);
  const stack = caught instanceof Error ? caught.stack : '';
  return [String(caught), stack, JSON.stringify(caught), inspect(caught, { depth: Infinity, showHidden: true })].join(
    '\n',
  );
}
