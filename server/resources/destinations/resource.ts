import type { components } from '../../../generated/config-api.d.ts';
import type { AddressGuard } from '../../delivery/address-guard.ts';
import { catalogueDestination } from '../../destinations/catalogue.ts';
import { MOST_WEBHOOKS, WEBHOOKS_SLUG, webhooksOf } from '../../destinations/webhooks-settings.ts';
import { ApiError } from '../../http/errors.ts';
import type { Resources } from '../../storage/config-store.ts';
import { publishedName } from '../../destinations/published-names.ts';
import { readNewName, slugOf } from '../resource-name.ts';
import { milliseconds } from '../times.ts';
import { applyMask, type EmptyValues } from '../update-mask.ts';
import { defaultEntries, mergeEntries, readEntries, shownEntries } from './config-entries.ts';

type Schemas = components['schemas'];
type Destination = Resources['destinations'];

export function emptiesOf(name: string): EmptyValues {
  return { display_name: '', enabled: false, connection_mode: 'UNSPECIFIED', config: defaultEntries(name) };
}

export function makeDestination(
  { destination }: Schemas['CreateDestination'],
  parent: string,
  now: number,
  guard: AddressGuard,
): Destination {
  const within = `${parent}/destinations/`;
  const name = readNewName({ given: destination.name, within, field: 'destination.name' });
  const slug = slugOf(name);
  return checked({
    name,
    parent,
    display_name: destination.display_name ?? catalogueDestination(slug)?.displayName ?? slug,
    enabled: destination.enabled ?? false,
    connection_mode: destination.connection_mode ?? 'UNSPECIFIED',
    config: mergeEntries(defaultEntries(name), readEntries(destination.config ?? [], name, guard)),
    create_time: milliseconds(now),
    update_time: milliseconds(now),
  });
}

/** As it is answered: with whether anything is sent there (D-11). */
export function shownDestination(destination: Destination): Schemas['Destination'] {
  const { name, config } = destination;
  return { ...destination, config: shownEntries(config, name), deliverable: publishedName(name) !== undefined };
}

/** An update that was checked as far as it can be without the destination that it will change. */
export interface DestinationUpdate {
  readonly values: Schemas['UpdateDestination']['destination'] & object;
  readonly paths: readonly string[];
  /** The entries to merge; none, though `config` is listed, resets all of them (D-11). */
  readonly entries: readonly Schemas['ConfigEntry'][];
}

export function readUpdate(
  { destination: values = {} }: Schemas['UpdateDestination'],
  name: string,
  paths: readonly string[],
  guard: AddressGuard,
): DestinationUpdate {
  const entries = paths.includes('config') ? readEntries(values.config ?? [], name, guard) : [];
  return { values, paths, entries };
}

export function changeDestination(current: Destination, update: DestinationUpdate, now: number): Destination {
  const { values, paths, entries } = update;
  if (paths.length === 0) return current;
  const empties = emptiesOf(current.name);
  const config = entries.length === 0 ? empties['config'] : mergeEntries(current.config, entries);
  const changed = applyMask(current, { values: { ...values, config }, paths, empties });
  return checked({ ...changed, update_time: milliseconds(now) });
}

/**
 * What must hold of a webhooks destination as a whole. One that is switched off may have no webhook yet, as clients
 * create it before they configure it; one that is switched on has 1 to 5 (HOOK-1), `globalHook` counted.
 */
function checked(destination: Destination): Destination {
  if (slugOf(destination.name) !== WEBHOOKS_SLUG) return destination;
  if (destination.connection_mode === 'DEVICE') {
    throw invalid('destination.connection_mode: webhooks are served in cloud mode, so DEVICE is refused');
  }
  const { length } = webhooksOf(destination).webhooks;
  if (length > MOST_WEBHOOKS) {
    throw invalid(
      `destination.config: hooks and globalHook are ${length} webhooks, at most ${MOST_WEBHOOKS} are allowed`,
    );
  }
  if (destination.enabled && length === 0) {
    throw invalid('destination.enabled: there is no webhook yet: set hooks in destination.config first, or with it');
  }
  return destination;
}

function invalid(message: string): ApiError {
  return new ApiError('InvalidArgument', message);
}
