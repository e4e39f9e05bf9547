import { TOKEN } from '../../../server/tests/support/config-api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../../server/tests/support/delivery-world.ts';
import { answers, type Endpoint } from '../../../testbed/simulation/simulated-transport.ts';
import { type ConfigClient, createConfigClient } from '../../config/index.ts';

/** The router's own Config API, engine and stores, over HTTP, and a client of it. */
export interface ConfigRouter {
  readonly world: DeliveryWorld;
  readonly client: ConfigClient;
  readonly workspace: string;
  readonly source: string;
  readonly destination: string;
}

/** Deliveries meet this endpoint, in place of a network. */
export async function startConfigRouter(endpoint: Endpoint = () => answers(200)): Promise<ConfigRouter> {
  const world = await startDeliveryWorld(endpoint);
  const { destination } = world;
  const source = destination.split('/').slice(0, 4).join('/');
  const client = createConfigClient({ baseUrl: world.api.url, token: TOKEN, retry: { maxRetries: 0 } });
  return { world, client, workspace: 'workspaces/main', source, destination };
}
