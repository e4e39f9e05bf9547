import type { Resource } from '@waybill/client/config';
import { useState } from 'react';
import { nameOf, type Place } from '../destinations/queries.ts';
import { useChange, useRead, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Switch } from '../ui/field.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { actionText } from './actions.ts';
import { NewFilter } from './new-filter.tsx';

type Filter = Resource<'filters'>;

/** The API has room for no more. */
const MAX_FILTERS = 10;

/** What of the events a destination gets. */
export function FiltersCard({ place }: { readonly place: Place }) {
  const { canWrite } = useWorkspace();
  const [isMaking, setMaking] = useState(false);
  const key = ['sources', place.source, 'destinations', place.destination, 'filters'];
  const filters = useRead(key, (client, signal, workspace) =>
    Array.fromAsync(client.filters.list(nameOf(workspace, place), { signal })),
  );
  const isFull = (filters.data?.length ?? 0) >= MAX_FILTERS;
  const add = canWrite && (
    <Button size="small" icon="plus" disabled={isFull} onClick={() => setMaking(true)}>
      New filter
    </Button>
  );
  return (
    <Card title="Filters" note="What of the events goes to this destination." action={add} flush>
      <Loaded query={filters}>
        {(list) =>
          list.length === 0 ? (
            <p className="card-body muted">No filters: every event of the source goes there whole.</p>
          ) : (
            <Table label="Filters" columns={columns(key)} rows={list} keyOf={({ name }) => name} />
          )
        }
      </Loaded>
      {isMaking && <NewFilter place={place} cacheKey={key} onClose={() => setMaking(false)} />}
    </Card>
  );
}

function columns(key: readonly unknown[]): readonly Column<Filter>[] {
  return [
    { title: 'Filter', cell: ({ title }) => <strong>{title === '' ? 'Without a title' : title}</strong> },
    { title: 'Where', cell: (filter) => <code>{filter.if}</code> },
    { title: 'Effect', cell: ({ actions }) => actions.map(actionText).join('; ') },
    { title: 'Enabled', end: true, cell: (filter) => <FilterSwitch filter={filter} cacheKey={key} /> },
  ];
}

interface FilterProps {
  readonly filter: Filter;
  readonly cacheKey: readonly unknown[];
}

function FilterSwitch({ filter, cacheKey }: FilterProps) {
  const { canWrite } = useWorkspace();
  const [isAsked, setAsked] = useState(false);
  const close = (): void => setAsked(false);
  const change = useChange((client, enabled: boolean) => client.filters.update(filter.name, { enabled }), [cacheKey]);
  const remove = useChange((client) => client.filters.delete(filter.name), [cacheKey], close);
  const title = filter.title === '' ? filter.if : filter.title;
  return (
    <span className="row tight end">
      <Switch
        label={`Filter ${title} enabled`}
        checked={change.isPending ? change.variables : filter.enabled}
        disabled={!canWrite || change.isPending}
        onChange={(enabled) => change.mutate(enabled)}
      />
      {canWrite && (
        <Button
          size="small"
          look="quiet"
          icon="trash"
          aria-label={`Delete filter ${title}`}
          onClick={() => setAsked(true)}
        />
      )}
      {isAsked && (
        <Confirm title={`Delete ${title}?`} action="Delete filter" mutation={remove} onClose={close}>
          The destination gets events as if it had never been there, from the next one on.
        </Confirm>
      )}
    </span>
  );
}
