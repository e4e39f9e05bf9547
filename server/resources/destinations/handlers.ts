import type { Resources } from '../../storage/config-store.ts';
import { asIs, matching } from '../entity-tag.ts';
import type { ConfigHandlers, Env } from '../env.ts';
import { listPage } from '../list-page.ts';
import { destinationName, sourceName } from '../resource-name.ts';
import { found, requireCreated } from '../store-answers.ts';
import { readMask } from '../update-mask.ts';
import { requireParent, requireVisible, requireWorkspaceOf } from '../visible.ts';
import { changeDestination, emptiesOf, makeDestination, readUpdate, shownDestination } from './resource.ts';

type Destination = Resources['destinations'];

type DestinationHandlers = Pick<
  ConfigHandlers,
  'listDestinations' | 'createDestination' | 'getDestination' | 'updateDestination' | 'deleteDestination'
>;

export function destinationHandlers({ store, clock, addressGuard }: Env): DestinationHandlers {
  return {
    async listDestinations({ path, query, caller }) {
      const parent = await requireParent(store, 'sources', caller, sourceName(path));
      const { items, next_page_token } = await listPage(store, { kind: 'destinations', parent, query });
      return { destinations: items.map(shownDestination), next_page_token };
    },

    async createDestination({ path, body, caller }) {
      const destination = makeDestination(body, sourceName(path), clock.now(), addressGuard);
      await requireWorkspaceOf(store, caller, destination.name);
      requireCreated(await store.create('destinations', destination), 'destinations', destination.name);
      return shownDestination(destination);
    },

    async getDestination({ path, caller }) {
      const name = requireVisible(caller, destinationName(path));
      return shownDestination(found(await store.get('destinations', name), name));
    },

    async updateDestination({ path, header, body, caller }) {
      const name = destinationName(path);
      const masks = [body.update_mask, body.destination?.update_mask];
      const paths = readMask({ key: 'destination', masks, empties: emptiesOf(name) });
      const update = readUpdate(body, name, paths, addressGuard);
      requireVisible(caller, name);
      const now = clock.now();
      const change = matching(
        header,
        (current: Destination) => changeDestination(current, update, now),
        shownDestination,
      );
      return shownDestination(found(await store.update('destinations', name, change), name));
    },

    async deleteDestination({ path, header, caller }) {
      const name = requireVisible(caller, destinationName(path));
      const check = matching(header, asIs, shownDestination);
      found((await store.remove('destinations', name, check)) || undefined, name);
      return {};
    },
  };
}
