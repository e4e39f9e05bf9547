import { beforeEach, expect, test } from 'vitest';
import { type ConfigApiServer, startConfigApi, TOKEN } from '../../server/tests/support/config-api.ts';
import { type Ended, connectedTo } from './support/command-line.ts';

const AUDIENCES = '/workspaces/main/audiences';
const SPENT = {
  display_name: 'Spent',
  definition: { sum: { where: 'all', of: 'properties.total', sources: ['web'] } },
};
const SPENDERS = {
  display_name: 'Spenders',
  definition: { computed_trait: 'Spent', is: { gte: 100 } },
  destinations: ['web/webhooks'],
};
const BEST = { display_name: 'Best', definition: { all: [{ member_of: 'Spenders' }, { not: { member_of: 'Gone' } }] } };
const GONE = { display_name: 'Gone', definition: { trait: 'gone', is: { exists: true } } };
const WEB = {
  destinations: { webhooks: { config: [{ name: 'hooks', value: [{ hook: 'https://a.example.com/' }] }] } },
};

let api: ConfigApiServer;
beforeEach(async () => {
  api = await startConfigApi();
});

function waybill(main: object, ...args: readonly string[]): Promise<Ended> {
  const stdin = JSON.stringify({ version: 1, workspaces: { main } });
  return connectedTo(api.url, TOKEN, { stdin })(...args);
}

test('what audiences refer to is made before them, and has its full name there', async () => {
  const file = { sources: { web: WEB }, audiences: [BEST, GONE, SPENDERS], computed_traits: [SPENT] };
  const { status, stdout, stderr } = await waybill(file, 'apply', '-f', '-', '--yes');
  expect({ status, stderr }).toEqual({ status: 0, stderr: 'applied\n' });
  expect(stdout.split('\n').filter((line) => /audience|trait/.test(line))).toEqual([
    '+ main/computed trait "Spent"',
    '+ main/audience "Gone"',
    '+ main/audience "Spenders"',
    '+ main/audience "Best"',
  ]);
  const { audiences } = await api.ok('GET', AUDIENCES);
  expect(audiences).toMatchObject([
    {},
    {
      definition: { computed_trait: expect.stringMatching(/^workspaces\/main\/computed-traits\/tra_/) },
      destinations: ['workspaces/main/sources/web/destinations/webhooks'],
    },
    { definition: { all: [{ member_of: expect.stringMatching(/^workspaces\/main\/audiences\/aud_/) }, {}] } },
  ]);
  expect(await waybill(file, 'diff', '-f', '-')).toMatchObject({ status: 0, stderr: 'no difference\n' });
});

test('an audience is changed by its name, and refers to what the router has alone', async () => {
  await waybill({ audiences: [GONE] }, 'apply', '-f', '-', '--yes');
  const other = { display_name: 'Other', definition: { not: { member_of: 'Gone' } }, enabled: false };
  expect((await waybill({ audiences: [other] }, 'apply', '-f', '-', '--yes')).status).toBe(0);
  const changed = { ...other, enabled: true, definition: { trait: 'plan', is: { eq: 'member_of' } } };
  expect(await waybill({ audiences: [changed] }, 'apply', '-f', '-', '--yes')).toMatchObject({
    status: 0,
    stdout: '~ main/audience "Other"\n    definition\n    enabled: false → true\n',
  });
  expect((await api.ok('GET', AUDIENCES))['audiences']).toMatchObject([{ display_name: 'Gone' }, changed]);
});

test('a name that nothing has is told before anything is changed', async () => {
  const { status, stdout, stderr } = await waybill({ audiences: [BEST, SPENDERS] }, 'diff', '-f', '-');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('main/audience "Best": main/audience "Gone" is neither in the file nor on the router');
});

test('two audiences of one name are not exported, as a file could not tell them apart', async () => {
  await waybill({ audiences: [GONE, { ...GONE, display_name: 'Away' }] }, 'apply', '-f', '-', '--yes');
  const { audiences } = await api.ok('GET', AUDIENCES);
  const [, away] = Array.isArray(audiences) ? audiences : [];
  const mask = { update_mask: { paths: ['audience.display_name'] } };
  await api.ok('PATCH', `/${away.name}`, { audience: { display_name: 'Gone' }, ...mask });
  const { status, stderr } = await waybill({}, 'export');
  expect(status).toBe(1);
  expect(stderr).toContain('main/audience "Gone" is there twice');
});

test('what is exported can be applied to an empty router, also where a destination was deleted', async () => {
  const { webhooks } = WEB.destinations;
  const spenders = { ...SPENDERS, destinations: ['web/webhooks', 'web/webhooks-b', 'gone/webhooks'] };
  const file = {
    sources: { web: { destinations: { webhooks, 'webhooks-b': webhooks } }, gone: WEB },
    audiences: [spenders],
    computed_traits: [SPENT],
  };
  await waybill(file, 'apply', '-f', '-', '--yes');
  await api.ok('DELETE', '/workspaces/main/sources/web/destinations/webhooks-b');
  await api.ok('DELETE', '/workspaces/main/sources/gone');
  const { stdout, stderr } = await waybill({}, 'export', '--json', '--show-secrets');
  expect(stderr).toBe(
    'Left out, as it was deleted: web/webhooks-b of main/audience "Spenders"\n' +
      'Left out, as it was deleted: gone/webhooks of main/audience "Spenders"\n',
  );
  api = await startConfigApi();
  const applied = await connectedTo(api.url, TOKEN, { stdin: stdout })('apply', '-f', '-', '--yes');
  expect(applied).toMatchObject({ status: 0, stderr: 'applied\n' });
});
