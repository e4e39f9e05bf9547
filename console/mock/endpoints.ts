import type { Clock } from '../../server/ports/clock.ts';
import type { PostResult, Transport } from '../../server/ports/transport.ts';
import type { WorldName } from './world-names.ts';

/** What an endpoint does with the so manieth request that it gets. */
type Endpoint = (posts: number) => PostResult;

const fine: Endpoint = () => answered(200, 'ok');
const slow: Endpoint = (posts) => (posts < 200 ? fine(posts) : answered(429, 'slow down'));
/** Takes the first ones, then nobody listens. */
const gone: Endpoint = (posts) => (posts < 40 ? fine(posts) : failed('connect_refused', 'connection refused'));

/** Each of the customers' endpoints in trouble of its own. */
const TROUBLES: Readonly<Record<string, Endpoint>> = {
  shop: (posts) => (posts % 3 === 0 ? answered(503, '<html><h1>503 Service Unavailable</h1></html>') : fine(posts)),
  app: (posts) => (posts % 5 === 0 ? answered(400, '{"error":"unknown event","field":"event"}') : fine(posts)),
  billing: (posts) =>
    posts % 2 === 0 ? failed('first_byte_timeout', 'no answer within 5 s') : answered(500, 'database is down'),
  hostile: () => answered(422, '<script>alert("answer")</script> \u0000 ‮'),
};

const WORLDS: Readonly<Record<WorldName, Readonly<Record<string, Endpoint>>>> = {
  healthy: {},
  failing: TROUBLES,
  'open-circuit': { billing: gone, app: (posts) => (posts < 90 ? fine(posts) : failed('tls_expired', 'certificate')) },
  backlog: { shop: slow },
  empty: {},
};

/** The network of a world: endpoints are known by the first part of their host. */
export function networkOf(name: WorldName, clock: Pick<Clock, 'sleep'>): Transport {
  const posts = new Map<string, number>();
  const post: Transport['post'] = async ({ url }) => {
    const [endpoint = ''] = new URL(url).hostname.split('.');
    const count = (posts.get(endpoint) ?? 0) + 1;
    posts.set(endpoint, count);
    await clock.sleep(40 + (count % 7) * 15);
    return (WORLDS[name][endpoint] ?? fine)(count);
  };
  return { post, close: () => Promise.resolve() };
}

function answered(status: number, excerpt: string): PostResult {
  return { kind: 'answered', status, excerpt };
}

function failed(failure: Extract<PostResult, { kind: 'failed' }>['failure'], detail: string): PostResult {
  return { kind: 'failed', failure, detail };
}
