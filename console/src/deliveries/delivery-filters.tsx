import { useNavigate } from '@tanstack/react-router';
import type { Destination, Place } from '../destinations/queries.ts';
import { useWorkspace } from '../session/workspace.tsx';
import type { Source } from '../sources/queries.ts';
import { Choice, type Option, Typed } from '../ui/choice.tsx';
import { slugOf, titleWithId, wordsOf } from '../ui/names.ts';
import { type DeliverySearch, readDeliverySearch, STATES, TYPES } from './search.ts';

interface DeliveryFiltersProps {
  readonly sources: readonly Source[];
  readonly destinations: readonly Destination[];
  readonly place: { readonly [Key in keyof Place]: string | undefined };
  readonly search: DeliverySearch;
}

const ANY = { value: '', text: 'Any' };
const TIMES = [
  ANY,
  { value: '1', text: 'Last hour' },
  { value: '24', text: 'Last 24 hours' },
  { value: '168', text: 'Last 7 days' },
];

export function DeliveryFilters({ sources, destinations, place, search }: DeliveryFiltersProps) {
  const change = useChangeSearch(search);
  return (
    <div className="stack-tight">
      <div className="filters places">
        <Choice
          label="Source"
          value={place.source}
          options={sources.map(optionOf)}
          onChange={(source) => change({ source, destination: '' })}
        />
        <Choice
          label="Destination"
          value={place.destination}
          options={destinations.map(optionOf)}
          onChange={(destination) => change({ source: place.source ?? '', destination })}
        />
        <Choice
          label="State"
          value={search.state}
          options={optionsOf(STATES)}
          onChange={(state) => change({ state })}
        />
        <Choice label="Type" value={search.type} options={optionsOf(TYPES)} onChange={(type) => change({ type })} />
        <Choice label="Accepted" value={search.hours} options={TIMES} onChange={(hours) => change({ hours })} />
        <Typed label="Event name" value={search.event} onChange={(event) => change({ event })} />
        <Typed label="User id" value={search.user} onChange={(user) => change({ user })} />
      </div>
    </div>
  );
}

/** A value that is empty asks for nothing. */
function useChangeSearch(
  search: DeliverySearch,
): (change: { readonly [Key in keyof DeliverySearch]?: string }) => void {
  const { slug: workspace } = useWorkspace();
  const navigate = useNavigate();
  return (change) =>
    void navigate({
      to: '/workspaces/$workspace/deliveries',
      params: { workspace },
      search: readDeliverySearch({ ...search, ...change }),
      replace: true,
    });
}

function optionOf(resource: Source | Destination): Option {
  return { value: slugOf(resource.name), text: titleWithId(resource) };
}

function optionsOf(values: readonly string[]): Option[] {
  return [ANY, ...values.map((value) => ({ value, text: wordsOf(value) }))];
}
