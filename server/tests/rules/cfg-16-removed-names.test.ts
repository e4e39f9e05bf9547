import { expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { retention } from '../../jobs/retention.ts';
import { createAcceptedEvents } from '../../losses/accepted-events.ts';
import { createDroppedEvents } from '../../losses/dropped-events.ts';
import { forgetRemoved } from '../../losses/forget-removed.ts';
import { createUndecided } from '../../losses/undecided.ts';
import { createViolations } from '../../losses/violations.ts';
import { JobRunner } from '../../jobs/runner.ts';
import { MOST_REMOVED } from '../../storage/resources/removed-workspaces.ts';
import { author } from '../conformance/config-store-audit.ts';
import { NOW, startConfigApi } from '../support/config-api.ts';
import { workspace } from '../support/config-resources.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { openMemory } from '../support/memory-storage.ts';
import { trackOf } from '../support/tracking.ts';

const [MINUTE, DAY] = [60_000, 86_400_000];
const WAITS_MS = 250 * MINUTE;
/** A retention of seven days; two in which it purges, and four hours and ten minutes for what still waits. */
const KEPT_MS = 9 * DAY + WAITS_MS;
const ACME = { workspace: { name: 'workspaces/acme' } };
const PAGE = { after: 0, limit: 2 * MOST_REMOVED };

test('CFG-16, D-87: the name of a removed workspace is given again once what was stored under it is gone', async () => {
  const api = await startConfigApi();
  await api.ok('POST', '/workspaces', ACME);
  await api.ok('DELETE', '/workspaces/acme');
  const why = 'what is stored of its events would be seen by the new one; choose another name';
  const when = 'was removed at 2026-11-20T12:00:00Z, and its name is free again at 2026-11-29T16:10:00Z';
  for (const passed of [0, KEPT_MS - 1]) {
    api.time.now = NOW + passed;
    const refused = { status: 409, body: { error: `workspaces/acme ${when}: ${why}`, code: 6 } };
    expect(await api.call('POST', '/workspaces', ACME)).toMatchObject(refused);
  }
  await api.ok('POST', '/workspaces', { workspace: { name: 'workspaces/acme-2' } });
  api.time.now = NOW + KEPT_MS;
  await api.ok('POST', '/workspaces', ACME);
  expect(await api.call('POST', '/workspaces', ACME)).toMatchObject({
    status: 409,
    body: { error: 'workspace already exists: workspaces/acme' },
  });
  expect(await api.store.list('removed-workspaces', '', PAGE)).toEqual([]);
});

test('CFG-16, D-87: no name is given while what waited through a pause is still being sent', async () => {
  const api = await startConfigApi();
  api.time.now = NOW - 30 * DAY;
  await api.ok('POST', '/workspaces', ACME);
  await api.ok('DELETE', '/workspaces/acme');
  const refused = { status: 409, body: { error: expect.stringContaining('is free again at 2026-11-20T16:10:00Z') } };
  for (const passed of [0, WAITS_MS - 1]) {
    api.time.now = NOW + passed;
    expect(await api.call('POST', '/workspaces', ACME)).toMatchObject(refused);
  }
  api.time.now = NOW + WAITS_MS;
  await api.ok('POST', '/workspaces', ACME);
});

test('CFG-16, D-87: a name stays taken where it is not known when its workspace was removed', async () => {
  const api = await startConfigApi();
  await api.ok('POST', '/workspaces', ACME);
  await api.store.remove('workspaces', 'workspaces/acme');
  api.time.now += 100 * DAY;
  const refused = await api.call('POST', '/workspaces', ACME);
  expect(refused).toMatchObject({
    status: 409,
    body: { error: expect.stringMatching(/^workspaces\/acme was removed: /) },
  });
});

test('CFG-16, D-87: retention drops the names that are free, and no others', async () => {
  const [clock, storage, log] = [new VirtualClock(NOW), openMemory(), new RecordingLog()];
  const { resources: config } = storage;
  for (const [slug, daysAgo] of Object.entries({ old: 9, young: 8.9 })) {
    await config.create('workspaces', workspace(slug));
    const removedAt = new Date(NOW - daysAgo * DAY).toISOString();
    await config.remove('workspaces', `workspaces/${slug}`, undefined, author('deleteWorkspace', removedAt));
  }
  const ports = { storage, config, clock, log };
  const runner = new JobRunner(ports, [retention({ ...ports, retentionMs: 7 * DAY })]);
  onTestFinished(() => runner.stop());
  runner.start();
  await clock.advance(WAITS_MS - MINUTE);
  expect(await config.list('removed-workspaces', '', PAGE)).toHaveLength(2);
  await clock.advance(12 * MINUTE);
  const left = await config.list('removed-workspaces', '', PAGE);
  expect(left.map(({ resource }) => resource.name)).toEqual(['removed-workspaces/young']);
});

test('CFG-16, D-87: the latest names are kept, however many workspaces are removed', async () => {
  const { resources: config } = openMemory();
  for (let index = 0; index < MOST_REMOVED + 2; index += 1) {
    await config.create('workspaces', workspace(`w${index}`, index.toString(16).padStart(10, '0')));
    await config.remove('workspaces', `workspaces/w${index}`);
  }
  const kept = await config.list('removed-workspaces', '', PAGE);
  expect([kept.length, kept[0]?.resource.name]).toEqual([MOST_REMOVED, 'removed-workspaces/w2']);
});

test('CFG-16, D-87: who gets the name of a removed workspace finds nothing of it in memory', async () => {
  const { resources: config } = openMemory();
  const [accepted, dropped] = [createAcceptedEvents(), createDroppedEvents()];
  const [violations, undecided] = [createViolations(), createUndecided()];
  await forgetRemoved(config, { accepted, dropped, violations, undecided });
  const sources = ['acme', 'acme-2'].map((slug) => `workspaces/${slug}/sources/web`);
  await config.create('workspaces', workspace('acme'));
  const receivedAt = new Date(NOW).toISOString();
  for (const source of sources) {
    accepted.add(source, [trackOf({})]);
    dropped.add(source, new Map([['no_user_anon_id', 1]]), [{ reason: 'no_user_anon_id', receivedAt }]);
    const violation = { kind: 'unplanned_event', action: 'allowed', message: '', plan: '', type: 'track' } as const;
    violations.add(
      source,
      [{ type: 'track', kind: 'unplanned_event', count: 1 }],
      [{ ...violation, messageId: 'm1', receivedAt }],
    );
    undecided.add('filter', `${source}/filters/f`, receivedAt);
  }
  const kept = () =>
    sources.map((source) => [
      accepted.countOf(source) + accepted.lastOf(source).length,
      dropped.of(source).size + dropped.lastOf(source).length,
      violations.countsOf(source).length + violations.lastOf(source).length,
      undecided.of(`${source}/filters/f`)?.count ?? 0,
    ]);
  await config.remove('workspaces', 'workspaces/acme');
  expect(kept()).toEqual([
    [2, 2, 2, 1],
    [2, 2, 2, 1],
  ]);
  await config.create('workspaces', workspace('acme', '0123456789'));
  expect(kept()).toEqual([
    [0, 0, 0, 0],
    [2, 2, 2, 1],
  ]);
});
