import { http } from 'msw';
import { setupWorker } from 'msw/browser';
import { showMenu } from './menu.ts';
import { WORLDS, type WorldName } from './world-names.ts';
import { openWorld, TOKEN } from './worlds.ts';

const CHOSEN = 'waybill.world';

/** The stand-in in this page: the world that `?world=` names, else the one of this tab, else the first. */
export async function startStandIn(): Promise<void> {
  const asked = new URL(location.href).searchParams.get('world') ?? sessionStorage.getItem(CHOSEN);
  const name = WORLDS.find((one) => one === asked) ?? WORLDS[0];
  choose(name);
  const world = await openWorld(name);
  const answer = async ({ request }: { readonly request: Request }): Promise<Response> =>
    (await world.answer(request)).response;
  const worker = setupWorker(http.all('/v1beta/*', answer));
  await worker.start({ quiet: true, onUnhandledFrame: 'bypass', serviceWorker: { url: WORKER } });
  showMenu(name, (next) => {
    choose(next);
    location.reload();
  });
}

const WORKER = '/console/mockServiceWorker.js';

/** Nobody needs to sign in to look around. */
function choose(name: WorldName): void {
  sessionStorage.setItem(CHOSEN, name);
  sessionStorage.setItem('waybill.token', TOKEN);
}
