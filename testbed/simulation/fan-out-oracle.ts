import type { Simulation } from './simulate.ts';
import type { SimulatedPost } from './simulated-transport.ts';
import { routesOf } from './arrival.ts';

/** HOOK-19: an event is stored once for each destination that it is routed to, and sent to no other. Says what broke that. */
export function misrouted(simulation: Simulation): string[] {
  const { world, deliveries, acceptedAt } = simulation;
  const stored = Map.groupBy(deliveries, ({ message }) => message.event.messageId);
  const sent = postsOfEach(simulation);
  return world.arrivals.flatMap((arrival) => {
    const { messageId } = arrival;
    if (!acceptedAt.has(messageId)) return [];
    const routes = routesOf(arrival);
    const names = (stored.get(messageId) ?? []).map(({ destination }) => destination);
    const strays = [...world.targets.keys()].filter((name) => !routes.includes(name));
    return [
      ...routes.filter((name) => !names.includes(name)).map((name) => `${messageId} is not stored for ${name}`),
      ...names.filter((name, at) => names.indexOf(name) < at).map((name) => `${messageId} is stored twice for ${name}`),
      ...strays
        .filter((name) => names.includes(name))
        .map((name) => `${messageId} is stored for ${name}: it has no route`),
      ...strays
        .filter((name) => sent.has(deliveryKey(name, messageId)))
        .map((name) => `${messageId} was sent to ${name}: it has no route`),
    ];
  });
}

export function deliveryKey(destination: string, messageId: string): string {
  return `${messageId} ${destination}`;
}

/** The requests of each delivery, by `deliveryKey`: a URL is of one destination. */
export function postsOfEach({ postsOf }: Simulation): ReadonlyMap<string, readonly SimulatedPost[]> {
  return new Map(
    [...postsOf].flatMap(([destination, all]) =>
      [...Map.groupBy(all, messageIdOf)].map(([id, own]) => [deliveryKey(destination, id), own] as const),
    ),
  );
}

export function messageIdOf({ request }: SimulatedPost): string {
  const body: { readonly messageId?: string } = JSON.parse(Buffer.from(request.body).toString('utf8'));
  return body.messageId ?? '';
}
