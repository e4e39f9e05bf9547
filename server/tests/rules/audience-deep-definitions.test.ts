import { expect, test } from 'vitest';
import { startWorld } from '../contract/world.ts';

const AUDIENCES = '/v1beta/workspaces/main/audiences';
const PRO = '{"trait":"plan","is":{"eq":"pro"}}';

test.each([9, 150, 300, 2_000, 50_000])(
  'a definition that is nested %i times is refused, and answers why',
  async (depth) => {
    const { send } = await startWorld();
    const definition = `${'{"not":'.repeat(depth)}${PRO}${'}'.repeat(depth)}`;
    const fields = `"display_name":"Deep","definition":${definition}`;
    const made = await send({
      method: 'POST',
      path: AUDIENCES,
      body: `{"audience":{"display_name":"A","definition":${PRO}}}`,
    });
    const name = String(made.body['name']);
    const refused = await Promise.all([
      send({ method: 'POST', path: AUDIENCES, body: `{"audience":{${fields}}}` }),
      send({ method: 'POST', path: `${AUDIENCES}:preview`, body: `{"definition":${definition}}` }),
      send({
        method: 'PATCH',
        path: `/v1beta/${name}`,
        body: `{"audience":{${fields}},"update_mask":{"paths":["audience.definition"]}}`,
      }),
    ]);
    for (const { status, body } of refused) {
      expect([status, body['error']]).toEqual([
        400,
        expect.stringMatching(
          depth < 200 ? /definition.* is nested deeper than 8 levels$/ : /^the body is nested deeper than 200 levels$/,
        ),
      ]);
    }
  },
);
