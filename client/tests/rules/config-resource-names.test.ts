import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accessTokenName,
  destinationName,
  parentOf,
  parseName,
  sourceName,
  trackingPlanName,
  workspaceName,
} from '../../config/index.ts';

const NAMES = [
  { name: accessTokenName('7'), is: 'access-tokens/7', parsed: { kind: 'accessTokens', access_token: '7' } },
  { name: workspaceName('main'), is: 'workspaces/main', parsed: { kind: 'workspaces', workspace: 'main' } },
  {
    name: sourceName('main', 'js'),
    is: 'workspaces/main/sources/js',
    parsed: { kind: 'sources', workspace: 'main', source: 'js' },
    parent: 'workspaces/main',
  },
  {
    name: destinationName('main', 'js', 'webhooks'),
    is: 'workspaces/main/sources/js/destinations/webhooks',
    parsed: { kind: 'destinations', workspace: 'main', source: 'js', destination: 'webhooks' },
    parent: 'workspaces/main/sources/js',
  },
  {
    name: trackingPlanName('main', 'rs_1'),
    is: 'workspaces/main/tracking-plans/rs_1',
    parsed: { kind: 'trackingPlans', workspace: 'main', tracking_plan: 'rs_1' },
    parent: 'workspaces/main',
  },
];

/** The API makes them. */
const FILTER = `${destinationName('main', 'js', 'webhooks')}/config/0a1b/filters/df_1`;

const NO_NAMES = [
  '',
  'main',
  'workspaces',
  'workspaces/',
  '/workspaces/main',
  'workspaces/main/',
  'workspaces//sources/js',
  'workspaces/main/sources',
  'workspaces/../sources/js',
  'workspaces/main/sources/.',
  'workspaces/main/sources/a\nb',
  'workspaces/main/sources/\uD800',
  'workspaces/main/sources/js/destinations/webhooks/filters/df_1',
  'v1beta/workspaces/main',
  'catalog/sources/javascript',
];

const slugs = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);

describe('resource names', () => {
  test('those of filters have a level of their own above the id, which is no parent', () => {
    const ids = { workspace: 'main', source: 'js', destination: 'webhooks', config: '0a1b', filter: 'df_1' };
    expect(parseName(FILTER)).toEqual({ kind: 'filters', ...ids });
    expect(parentOf(FILTER)).toBe(destinationName('main', 'js', 'webhooks'));
  });

  test.each(NAMES)('$is is built, and taken apart', ({ name, is, parsed, parent }) => {
    expect(name).toBe(is);
    expect(parseName(name)).toEqual(parsed);
    expect(parentOf(name)).toBe(parent);
  });

  test('every slug of the contract survives being built and taken apart', () => {
    fc.assert(
      fc.property(slugs, slugs, slugs, (workspace, source, destination) => {
        const name = destinationName(workspace, source, destination);
        expect(parseName(name)).toEqual({ kind: 'destinations', workspace, source, destination });
        expect(parentOf(name)).toBe(sourceName(workspace, source));
      }),
    );
  });

  test.each(NO_NAMES)('%j is no name, and the error shows the forms', (name) => {
    expect(() => parseName(name)).toThrow(`${JSON.stringify(name)} is not a resource name; the names are`);
    expect(() => parentOf(name)).toThrow(TypeError);
  });

  test.each(['', 'a/b', '.', '..', 'a\u0000'])('a slug of %j is refused by its name', (slug) => {
    expect(() => sourceName('main', slug)).toThrow(`the source in a name must be a slug or id without slashes, got`);
    expect(() => sourceName(slug, 'js')).toThrow('the workspace in a name');
    expect(() => destinationName('main', 'js', slug)).toThrow('the destination in a name');
    expect(() => trackingPlanName('main', slug)).toThrow('the tracking plan in a name');
    expect(() => accessTokenName(slug)).toThrow('the access token in a name');
  });

  test('a long text in place of a name is cut in the error', () => {
    expect(() => parseName('x'.repeat(10_000))).toThrow(/^"x{200}" is not/);
  });
});
