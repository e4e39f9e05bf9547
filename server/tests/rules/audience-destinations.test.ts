import { expect, test } from 'vitest';
import { startWorld } from '../contract/world.ts';

const HOME = 'workspaces/main';
const SOURCE = `${HOME}/sources/js`;
const [FIRST, GONE, NEW] = ['webhooks', 'webhooks-2', 'webhooks-3'].map((slug) => `${SOURCE}/destinations/${slug}`);
const KINDS = [
  ['audience', 'audiences', { trait: 'plan', is: { eq: 'pro' } }],
  ['computed_trait', 'computed-traits', { counter: { where: 'all' } }],
] as const;

test.each(KINDS)(
  'the name of a deleted destination stays when its list is sent back to an %s, and is unknown once it was taken off',
  async (key, list, definition) => {
    const { send } = await startWorld();
    const ask = (method: string, path: string, body?: object) =>
      send({ method, path: `/v1beta/${path}`, body: JSON.stringify(body) });
    await ask('POST', `${HOME}/sources`, { source: { name: SOURCE } });
    for (const name of [FIRST, GONE, NEW]) await ask('POST', `${SOURCE}/destinations`, { destination: { name } });
    const made = { display_name: 'Buyers', definition, destinations: [FIRST, GONE] };
    const { body } = await ask('POST', `${HOME}/${list}`, { [key]: made });
    const set = (destinations: unknown) =>
      ask('PATCH', String(body['name']), { [key]: { destinations }, update_mask: { paths: [`${key}.destinations`] } });
    expect((await ask('DELETE', String(GONE))).status).toBe(200);
    expect((await set(body['destinations'])).body).toMatchObject({ destinations: [FIRST, GONE] });
    expect((await set([GONE, NEW])).body).toMatchObject({ destinations: [GONE, NEW] });
    expect((await set([NEW])).status).toBe(200);
    const gone = `${key}.destinations[2]: ${GONE} does not exist: create it first, or leave it out`;
    expect(await set([NEW, NEW, GONE])).toMatchObject({ status: 400, body: { error: gone } });
    const another = { ...made, display_name: 'Others', destinations: [FIRST, FIRST, GONE] };
    expect(await ask('POST', `${HOME}/${list}`, { [key]: another })).toMatchObject({
      status: 400,
      body: { error: gone },
    });
  },
);
