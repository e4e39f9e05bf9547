import type { components } from '../../generated/config-api.d.ts';
import type { AddressGuard } from '../delivery/address-guard.ts';
import { catalogDestination } from '../destinations/catalog.ts';
import { isWebhooks, madeAs } from '../destinations/kind.ts';
import { checkSigning, countWebhooks, MAX_WEBHOOKS, signingOf } from '../destinations/webhooks-settings.ts';
import { invalid } from '../http/errors.ts';
import { slugOf } from '../model/resource-names.ts';
import type { ConfigEntry, Destination } from '../model/resources.ts';
import {
  defaultEntries,
  inPlace,
  mergeEntries,
  readEntries,
  type SentEntry,
  settingsOf,
} from './destination-config.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { shownOnce } from './kept.ts';
import { methodsOf } from './kit.ts';
import { publicKeyOf, standardKey } from '../model/shared-secret.ts';
import { rotationOf, timeText, withRotationKept } from './secret-rotation.ts';
import { readNewName } from './names.ts';
import { applyMask, type EmptyValues } from './update-mask.ts';

type Schemas = components['schemas'];
type NewDestination = Schemas['CreateDestination']['destination'];
type Changes = NonNullable<Schemas['UpdateDestination']['destination']>;

/** Without entries, `config` is as it was before anything was set; that depends on the kind. */
const EMPTIES: EmptyValues = { display_name: '', enabled: false, connection_mode: 'UNSPECIFIED', config: [] };

export function destinationHandlers({ store, clock, addressGuard, turns }: Env) {
  // What is shown of a rotation ends by itself.
  const shown = (destination: Destination) => shownDestination(destination, clock.now());
  const settled = shownOnce(shown);
  const { list, listAcross, create, get, update, remove } = methodsOf(store, {
    kind: 'destinations',
    above: ['sources'],
    key: 'destination',
    plural: 'destinations',
    turns,
    empties: EMPTIES,
    make: (wanted: NewDestination, parent) => makeDestination(wanted, parent, clock.now(), addressGuard),
    show: (destination) => (destination.rotation === undefined ? settled(destination) : shown(destination)),
    edit(changes: Changes = {}, paths, name) {
      const now = clock.now();
      const sent = paths.includes('config') ? readEntries(changes.config ?? [], name) : undefined;
      return (current) => {
        const values =
          sent === undefined ? changes : { ...changes, config: changedConfig(sent, current, addressGuard) };
        const update_time = timeText(now);
        const changed = { ...applyMask(current, { values, paths, empties: EMPTIES }), update_time };
        requireFewSettings(changed, current);
        return checked(withRotationKept(changed, current, now));
      };
    },
  });
  return {
    listDestinations: list,
    listWorkspaceDestinations: listAcross,
    createDestination: create,
    getDestination: get,
    updateDestination: update,
    deleteDestination: remove,
  } satisfies Partial<ConfigHandlers>;
}

function makeDestination(wanted: NewDestination, parent: string, now: number, guard: AddressGuard): Destination {
  const name = readNewName({ given: wanted.name, within: `${parent}/destinations/`, field: 'destination.name' });
  const [slug, time] = [slugOf(name), timeText(now)];
  const made = inPlace('destination.catalog_name', () => madeAs(name, wanted.catalog_name));
  const entries = settingsOf(readEntries(wanted.config ?? [], name), made, guard);
  return checked({
    ...made,
    parent,
    display_name: wanted.display_name ?? catalogDestination(slug)?.displayName ?? slug,
    enabled: wanted.enabled ?? false,
    connection_mode: wanted.connection_mode ?? 'UNSPECIFIED',
    config: mergeEntries(defaultEntries(made), entries),
    create_time: time,
    update_time: time,
  });
}

/** The settings after an update that names them: emptied, they are as before anything was set. */
function changedConfig(sent: readonly SentEntry[], current: Destination, guard: AddressGuard): ConfigEntry[] {
  const entries = settingsOf(sent, current, guard);
  return entries.length === 0 ? defaultEntries(current) : mergeEntries(current.config, entries);
}

/** With whether anything is sent there (D-11), and without the secret that was in use before, and what notices told. */
export function shownDestination(stored: Destination, now: number): Schemas['Destination'] {
  const { rotation: _secret, health: _health, ...destination } = stored;
  const rotation = rotationOf(stored, now);
  const keys = publicKeysOf(destination, rotation?.previous_secret);
  return {
    ...destination,
    deliverable: isWebhooks(destination),
    ...(rotation && { rotation: { start_time: rotation.start_time, end_time: rotation.end_time } }),
    ...(keys.length === 0 ? {} : { public_keys: keys }),
  };
}

function publicKeysOf(destination: Destination, previous = ''): string[] {
  if (!isWebhooks(destination)) return [];
  const { sharedSecret, signature } = signingOf(destination);
  if (signature !== 'standard-webhooks') return [];
  return [previous, sharedSecret].flatMap((secret) => {
    const { algorithm, key } = standardKey(secret);
    return algorithm === 'ed25519' ? [publicKeyOf(key)] : [];
  });
}

/** As many as a request may have: a change goes through all of them. One that has more, of an earlier version, may become smaller. */
const MAX_SETTINGS = 1_000;

function requireFewSettings({ config }: Destination, before: Destination): void {
  if (config.length <= Math.max(MAX_SETTINGS, before.config.length)) return;
  throw invalid(`destination.config would have ${config.length} settings, at most ${MAX_SETTINGS} are allowed`);
}

/**
 * What must hold of a webhooks destination as a whole. One that is switched off may have no webhook yet, as clients
 * create it before they configure it; one that is switched on has 1 to 5 (HOOK-1), `globalHook` counted.
 */
export function checked(destination: Destination): Destination {
  if (!isWebhooks(destination)) return destination;
  if (destination.connection_mode === 'DEVICE') {
    throw invalid('destination.connection_mode: webhooks are served in cloud mode, so DEVICE is refused');
  }
  const count = countWebhooks(destination);
  if (count > MAX_WEBHOOKS) {
    throw invalid(
      `destination.config: hooks and globalHook are ${count} webhooks, at most ${MAX_WEBHOOKS} are allowed`,
    );
  }
  if (destination.enabled && count === 0) {
    throw invalid('destination.enabled: there is no webhook yet: set hooks in destination.config first, or with it');
  }
  inPlace('destination.config', () => checkSigning(signingOf(destination), destination.enabled));
  return destination;
}
