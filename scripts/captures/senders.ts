import { createRequire } from 'node:module';
import { Analytics } from '@segment/analytics-node';
import { WRITE_KEY } from './capture.ts';

interface Calls {
  identify(message: object): unknown;
  track(message: object): unknown;
  page(message: object): unknown;
  screen(message: object): unknown;
  group(message: object): unknown;
  alias(message: object): unknown;
}

interface Legacy extends Calls {
  flush(): Promise<unknown>;
}

// The package has no types; these are its documented calls.
const LegacyAnalytics: new (writeKey: string, options: object) => Legacy = createRequire(import.meta.url)(
  'analytics-node',
);

export async function sendWithNode(host: string): Promise<void> {
  const analytics = new Analytics({ host, writeKey: WRITE_KEY });
  // Its types ask for more than its calls do.
  makeCalls({
    identify: (message) => analytics.identify({ userId: 'u', ...message }),
    track: (message) => analytics.track({ userId: 'u', event: '', ...message }),
    page: (message) => analytics.page({ userId: 'u', ...message }),
    screen: (message) => analytics.screen({ userId: 'u', ...message }),
    group: (message) => analytics.group({ userId: 'u', groupId: '', ...message }),
    alias: (message) => analytics.alias({ userId: 'u', previousId: '', ...message }),
  });
  await analytics.closeAndFlush();
}

export async function sendWithLegacyNode(host: string): Promise<void> {
  const analytics = new LegacyAnalytics(WRITE_KEY, { host });
  makeCalls(analytics);
  await analytics.flush();
}

function makeCalls(analytics: Calls): void {
  analytics.identify({ userId: 'u', traits: { plan: 'pro', name: 'Zoë 𝒳' } });
  analytics.track({ userId: 'u', event: 'Order Completed', properties: { total: 42.5, at: new Date(0), none: null } });
  analytics.page({ userId: 'u', category: 'Docs', name: 'Pricing', properties: { url: 'https://a.example/' } });
  analytics.screen({ anonymousId: 'a', name: 'Cart' });
  analytics.group({ userId: 'u', groupId: 'g', traits: { seats: 3 }, integrations: { All: true } });
  analytics.alias({ userId: 'u', previousId: 'p' });
}
