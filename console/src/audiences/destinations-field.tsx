import { Loaded } from '../ui/loaded.tsx';
import { slugOf, titleOf } from '../ui/names.ts';
import { placeOf } from '../destinations/queries.ts';
import { MAX_DESTINATIONS, MAX_SOURCES } from './read-destinations.ts';
import { useTellable } from './queries.ts';

interface DestinationsProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Webhooks destinations that are told. */
export function DestinationsField({ chosen, onChange }: DestinationsProps) {
  return (
    <Loaded query={useTellable()}>
      {({ destinations, hasMore }) => {
        const titles = new Map(destinations.map((one) => [one.name, titleOf(one)]));
        const names = [...new Set([...titles.keys(), ...chosen])];
        return (
          <div className="stack-tight">
            {names.length === 0 && (
              <p className="muted">There is no webhooks destination yet: add one to a source, and choose it here.</p>
            )}
            {names.map((name) => (
              <label key={name} className="row tight">
                <input
                  type="checkbox"
                  checked={chosen.includes(name)}
                  onChange={({ currentTarget: { checked } }) =>
                    onChange(checked ? [...chosen, name] : chosen.filter((one) => one !== name))
                  }
                />
                <span>
                  {titles.get(name) ?? slugOf(name)}{' '}
                  <span className="muted">
                    {slugOf(name)} of {placeOf(name).source}
                  </span>
                </span>
              </label>
            ))}
            {hasMore && (
              <p className="muted small">
                Not all are shown: up to {MAX_DESTINATIONS} of each of the first {MAX_SOURCES} sources. The API and the
                command line take all others.
              </p>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}
