import { afterEach, expect, test, vi } from 'vitest';
import type { Kind } from '../../model/resources.ts';
import type { Author, Home } from '../../storage/config-store.ts';
import { Draft } from '../../storage/resources/draft.ts';
import { Replica } from '../../storage/resources/replica.ts';
import { toEntry } from '../../storage/resources/stored-entry.ts';
import { emptyState, KINDS, Table } from '../../storage/resources/tables.ts';
import { UniqueKeys } from '../../storage/resources/unique-keys.ts';
import { withVerb } from '../conformance/config-store.ts';
import { startConfigApi, withWebhooks } from '../support/config-api.ts';
import { destination, filter, source, workspace } from '../support/config-resources.ts';

afterEach(() => vi.restoreAllMocks());

const AUTHOR: Author = {
  create_time: '2026-11-20T12:00:00.000Z',
  operation: 'deleteSource',
  token: 'access-tokens/1',
  token_description: 'CI',
  address: '',
};
const SOURCE = source('main', 'js');
const DESTINATIONS = Array.from({ length: 300 }, (_, index) => destination(SOURCE.name, `webhooks-${index}`));

function filled(): Draft {
  const draft = new Draft({ state: emptyState(), home: 'workspaces/main', keys: new UniqueKeys() });
  draft.create('sources', SOURCE);
  for (const one of DESTINATIONS) {
    draft.create('destinations', one);
    draft.create('filters', filter(one.name, 'a'));
  }
  return draft;
}

test('SAFE-2: however much stands below a source, its removal takes one step for each kind, on each router', () => {
  const draft = filled();
  const replica = new Replica();
  replica.apply({
    workspace: '',
    version: 1,
    changes: [{ kind: 'workspaces', name: 'workspaces/main', row: toEntry(1, workspace('main')) }],
  });
  replica.apply({ workspace: 'workspaces/main', version: 2, changes: [...draft.changes.values()] });
  const removal = replica.draft('workspaces/main', draft.state.sequence);
  const removeAll = vi.spyOn(Table.prototype, 'removeAll');
  expect(removal.remove('sources', SOURCE.name, undefined, AUTHOR)).toBe(true);
  expect(removeAll.mock.calls.length).toBeLessThan(KINDS.length);
  removeAll.mockClear();
  replica.apply({ workspace: 'workspaces/main', version: 3, changes: [...removal.changes.values()] });
  expect(removeAll.mock.calls.length).toBeLessThan(KINDS.length);
  for (const { tables } of [removal.state, replica.stateOf('workspaces/main') ?? emptyState()]) {
    expect(KINDS.filter((kind) => [...tables[kind].all()].length > 0)).toEqual(['former-keys', 'audit-entries']);
    expect(tables.destinations.children(SOURCE.name)).toEqual([]);
  }
});

test('SAFE-2: rows that follow one another are added to one list, as a start adds all of a workspace', () => {
  const { destinations: table } = emptyState().tables;
  const [first = destination(SOURCE.name), ...rest] = DESTINATIONS;
  table.put(toEntry(1, first));
  const list = table.children(SOURCE.name);
  for (const [index, one] of rest.entries()) table.put(toEntry(2 + index, one));
  expect(table.children(SOURCE.name)).toBe(list);
  expect(list).toHaveLength(DESTINATIONS.length);
});

test('SAFE-2: a change looks at no more rows the more there are', () => {
  const all = vi.spyOn(Table.prototype, 'all');
  const draft = filled();
  draft.update('sources', SOURCE.name, (one) => ({ ...one, display_name: 'longer than before' }), AUTHOR);
  draft.remove('destinations', DESTINATIONS[0]?.name ?? '', undefined, AUTHOR);
  expect(all).not.toHaveBeenCalled();
});

function watched(home: Home, asked: (kind: Kind) => void): Home {
  const all: Home['all'] = (kind) => {
    asked(kind);
    return home.all(kind);
  };
  return { ...home, all };
}

test('SAFE-2: a token that a workspace makes, and an audience, look at those alone that they name', async () => {
  const asked = vi.fn<(kind: Kind) => void>();
  const api = await startConfigApi((store) =>
    withVerb(store, {
      create: (kind, resource, most, fit, author) =>
        store.create(kind, resource, most, fit && ((one, home) => fit(one, watched(home, asked))), author),
    }),
  );
  const wanted = { description: 'CI', scopes: 'workspace', workspace_names: ['workspaces/main'] };
  const { token } = await api.ok('POST', '/access-tokens', { access_token: wanted });
  const { status } = await api.call('POST', '/access-tokens', { access_token: wanted }, { token: String(token) });
  expect(status).toBe(200);
  expect(asked).not.toHaveBeenCalled();
  const destinations = [await withWebhooks(api)];
  const audience = { display_name: 'Buyers', definition: { trait: 'plan', is: { eq: 'pro' } }, destinations };
  await api.ok('POST', '/workspaces/main/audiences', { audience });
  // Of these a workspace has few.
  const few = ['audiences', 'computed-traits', 'profile-beginnings'];
  expect(new Set(asked.mock.calls.flat())).toEqual(new Set(few));
});
