import { describe, expect, test } from 'vitest';
import type { ConfigClient } from '../../config/index.ts';
import { startConfigWorld } from '../support/config-world.ts';
import { answer } from '../support/config-stub.ts';

const WORKSPACE = 'workspaces/main';

async function makeSources(client: ConfigClient, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_none, index) => `${WORKSPACE}/sources/s${index}`);
  for (const name of names) await client.sources.create({ name });
  return names;
}

describe('a list', () => {
  test.for([
    { count: 0, pageSize: 2, pages: 1 },
    { count: 2, pageSize: 2, pages: 1 },
    { count: 5, pageSize: 2, pages: 3 },
    { count: 3, pageSize: undefined, pages: 1 },
  ])('of $count items gives each once, in pages of $pageSize', async ({ count, pageSize, pages }) => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    const names = await makeSources(client, count);
    const listed = await Array.fromAsync(client.sources.list(WORKSPACE, { pageSize }), ({ name }) => name);
    expect(listed).toEqual(names);
    expect(stub.received.filter(({ method }) => method === 'GET')).toHaveLength(pages);
  });

  test('S 2.3: sends the size with each request, and the token from the second on', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    await makeSources(client, 3);
    await Array.fromAsync(client.sources.list(WORKSPACE, { pageSize: 2 }));
    expect(stub.received.slice(-2).map(({ url }) => url)).toEqual([
      `/v1beta/${WORKSPACE}/sources?page_size=2`,
      `/v1beta/${WORKSPACE}/sources?page_size=2&page_token=2`,
    ]);
  });

  test('asks for no page before it is needed', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    await makeSources(client, 4);
    const before = stub.received.length;
    const list = client.sources.list(WORKSPACE, { pageSize: 2 });
    expect(stub.received).toHaveLength(before);
    for await (const { name } of list) if (name.endsWith('s1')) break;
    expect(stub.received).toHaveLength(before + 1);
  });

  test('begins anew with each iteration', async () => {
    await using world = await startConfigWorld();
    const { client } = world;
    await makeSources(client, 3);
    const list = client.sources.list(WORKSPACE, { pageSize: 2 });
    expect(await Array.fromAsync(list)).toEqual(await Array.fromAsync(list));
  });

  test.for([-1, 1.5, Number.NaN])('with a page size of %d is refused at once', async (pageSize) => {
    await using world = await startConfigWorld();
    const { client } = world;
    expect(() => client.sources.list(WORKSPACE, { pageSize })).toThrow(
      `client.sources.list: pageSize is ${pageSize}; give a whole number from 0`,
    );
  });

  test('ends with the items of the page before, when a later page fails', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    const names = await makeSources(client, 3);
    const seen: string[] = [];
    const walk = async () => {
      for await (const { name } of client.sources.list(WORKSPACE, { pageSize: 2 })) {
        seen.push(name);
        if (seen.length === 2) stub.next(answer(500));
      }
    };
    await expect(walk()).rejects.toMatchObject({ kind: 'Internal' });
    expect(seen).toEqual(names.slice(0, 2));
  });

  test('whose token never moves on ends in an error', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    const stuck = answer(200, '{"sources":[],"next_page_token":"1"}');
    stub.next(stuck, stuck, stuck);
    await expect(Array.fromAsync(client.sources.list(WORKSPACE))).rejects.toThrow(
      /UnexpectedAnswer.* its next_page_token is that of the page itself/,
    );
    expect(stub.received).toHaveLength(2);
  });

  test('without a token in the answer is on its last page', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    stub.next(answer(200, '{"sources":[]}'));
    expect(await Array.fromAsync(client.sources.list(WORKSPACE))).toEqual([]);
  });

  test.for([
    ['{}', 'it has no list of resources as sources'],
    ['{"sources":{}}', 'it has no list of resources as sources'],
    ['{"sources":[{}],"next_page_token":""}', 'it has no list of resources as sources'],
    ['{"sources":[],"next_page_token":7}', 'its next_page_token is no string'],
    ['', 'it has no list of resources as sources'],
  ])('answered with %s is an UnexpectedAnswer', async ([body = '', problem]) => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    stub.next(answer(200, body));
    await expect(Array.fromAsync(client.sources.list(WORKSPACE))).rejects.toMatchObject({
      kind: 'UnexpectedAnswer',
      message: expect.stringContaining(`a body that is not of this API: ${problem}`),
    });
  });
});
