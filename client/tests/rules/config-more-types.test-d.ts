/**
 * What must compile, and what must not, of the resources that have methods of their own: the compiler is the test. Each
 * `@ts-expect-error` is an error itself once the line below it compiles. Nothing here runs.
 */
import { expectTypeOf } from 'vitest';
import type { components } from '../../../generated/config-api.d.ts';
import type { ConfigClient } from '../../config/index.ts';

type Schemas = components['schemas'];

declare const client: ConfigClient;
const W = 'workspaces/main';
const S = `${W}/sources/js`;
const D = `${S}/destinations/webhooks`;

export async function answers(): Promise<void> {
  expectTypeOf(client.schemaConfigs.get(S)).resolves.toEqualTypeOf<Schemas['SchemaConfig']>();
  expectTypeOf(client.sourceConnections.create(S, S)).resolves.toEqualTypeOf<Schemas['SourceConnection']>();
  expectTypeOf(client.sourceConnections.delete(S, S)).resolves.toEqualTypeOf<void>();
  expectTypeOf(client.deliveries.get(D)).resolves.toEqualTypeOf<Schemas['DeliveryStory']>();
  expectTypeOf(client.deliveries.replay(D)).resolves.toEqualTypeOf<Schemas['DeliveryStory']>();
  expectTypeOf(client.replays.cancel(D)).resolves.toEqualTypeOf<Schemas['Replay']>();
  expectTypeOf(client.metrics.list(D)).resolves.toEqualTypeOf<readonly Schemas['DeliveryMetric'][]>();
  expectTypeOf(client.metrics.summary(D)).resolves.toEqualTypeOf<Schemas['DeliveryMetricsSummary']>();
  expectTypeOf(client.acceptedEvents.count(S, { from: '2026-11-20T00:00:00Z' })).resolves.toEqualTypeOf<
    Schemas['AcceptedCounts']
  >();
  expectTypeOf(client.acceptedEvents.get(S)).resolves.toEqualTypeOf<Schemas['AcceptedEvents']>();
  expectTypeOf(client.droppedEvents.get(S)).resolves.toEqualTypeOf<Schemas['DroppedEvents']>();
  expectTypeOf(client.regulations.get(W)).resolves.toEqualTypeOf<Schemas['Regulation']>();
  expectTypeOf(client.catalogDestinations.get('')).resolves.toEqualTypeOf<Schemas['CatalogDestination']>();
  for await (const moment of client.acceptedEvents.watch(S))
    expectTypeOf(moment).toEqualTypeOf<Schemas['LiveEvents']>();
  for await (const delivery of client.deliveries.list(D)) expectTypeOf(delivery).toEqualTypeOf<Schemas['Delivery']>();
  for await (const user of client.suppressedUsers.list(W))
    expectTypeOf(user).toEqualTypeOf<Schemas['SuppressedUser']>();
  for await (const source of client.catalogSources.list()) {
    expectTypeOf(source).toEqualTypeOf<Schemas['CatalogSource']>();
  }
}

export function filters(): void {
  void client.filters.create(D, { if: 'all', actions: [{ type: 'drop_event' }], enabled: true });
  void client.filters.update(D, { enabled: false }, { paths: ['if', 'filter.actions'] });
  // @ts-expect-error -- a filter needs a condition
  void client.filters.create(D, { title: 'No tests' });
  // @ts-expect-error -- the API generates the id of a filter, so it needs a parent
  void client.filters.create({ if: 'all' });
  // @ts-expect-error -- there is no such action
  void client.filters.create(D, { if: 'all', actions: [{ type: 'drop' }] });
}

export function deliveries(): void {
  client.deliveries.list(D, {
    state: 'failed',
    type: 'track',
    user_id: 'u',
    from: '2026-11-20T12:00:00Z',
    pageSize: 10,
  });
  void client.replays.create(D, { filter: { state: 'failed' }, dry_run: true, per_second: 10 });
  void client.metrics.get(D, { from: '2026-11-20T12:00:00Z', signal: AbortSignal.abort() });
  // @ts-expect-error -- there is no such state
  client.deliveries.list(D, { state: 'lost' });
  // @ts-expect-error -- pages are asked for by pageSize
  client.deliveries.list(D, { page_size: 10 });
  // @ts-expect-error -- a destination is needed
  client.deliveries.list();
  // @ts-expect-error -- what is pending is not sent again
  void client.replays.create(D, { filter: { state: 'pending' } });
  // @ts-expect-error -- deliveries are not made by hand
  void client.deliveries.create(D, {});
}

export function others(): void {
  void client.regulations.create(W, { regulation_type: 'Suppress', attributes: { name: 'userId', values: ['u'] } });
  client.regulations.list(W, { status: 'FINISHED', regulation_types: 'Delete' });
  void client.schemaConfigs.update(S, { common_track_event_on_violations: 'BLOCK' });
  void client.sourceConnections.createAll(S, [S]);
  // @ts-expect-error -- there is no such type
  void client.regulations.create(W, { regulation_type: 'Forget', attributes: { name: 'userId', values: ['u'] } });
  // @ts-expect-error -- identify events have traits, and no properties
  void client.schemaConfigs.update(S, { common_identify_event_on_violations: 'OMIT_PROPERTIES' });
  // @ts-expect-error -- the API sets the name
  void client.schemaConfigs.update(S, { name: S });
  // @ts-expect-error -- there is one of each source: it is not created
  void client.schemaConfigs.create(S, {});
  // @ts-expect-error -- the catalog stands alone
  client.catalogSources.list(W);
}
