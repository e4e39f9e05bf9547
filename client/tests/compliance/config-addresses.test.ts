import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createConfigClient } from '../../config/index.ts';

/** A client, and the addresses that it asks, as the browser and Node write them. */
function recorded() {
  const asked: string[] = [];
  const client = createConfigClient({
    baseUrl: 'http://router.test',
    token: 'token',
    fetch: async (request) => {
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      return Response.json({});
    },
  });
  return { client, asked };
}

const AUDIENCE = 'workspaces/main/audiences/aud_0123456789abcdefghijklmnopq';

test.for(['..', '.', ''])(
  'no address holds the user id %j: nothing is sent, above all not to what is above it',
  async (id) => {
    const { client, asked } = recorded();
    const refused = {
      name: 'TypeError',
      message: expect.stringContaining(`${JSON.stringify(id)} cannot be part of an address`),
    };
    await expect(client.profiles.delete('workspaces/main', id)).rejects.toMatchObject(refused);
    await expect(client.profiles.get('workspaces/main', id)).rejects.toMatchObject(refused);
    await expect(client.audiences.explain(AUDIENCE, id)).rejects.toMatchObject(refused);
    expect(asked).toEqual([]);
  },
);

test('any other user id is asked for as it is', async () => {
  const others = fc.string({ unit: 'grapheme', minLength: 1 }).filter((id) => id !== '.' && id !== '..');
  const property = fc.asyncProperty(
    fc.oneof(others, fc.constantFrom('...', '%2e%2e', '../x', 'a/..', '%')),
    async (id) => {
      const { client, asked } = recorded();
      await client.profiles.delete('workspaces/main', id);
      const [address = ''] = asked;
      const [above, segment] = [
        address.slice(0, address.lastIndexOf('/')),
        address.slice(address.lastIndexOf('/') + 1),
      ];
      expect({ above, id: decodeURIComponent(segment) }).toEqual({
        above: 'DELETE /v1beta/workspaces/main/profiles',
        id,
      });
    },
  );
  await fc.assert(property);
});
