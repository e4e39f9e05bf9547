/** How an SDK is pointed at this router; `docs/sdks.md` says the same at more length. */
export interface Snippet {
  readonly title: string;
  /** The kinds of the catalog that it is shown for first. */
  readonly kinds: readonly string[];
  readonly code: (key: string, host: string) => string;
}

export const SNIPPETS: readonly Snippet[] = [
  {
    title: 'curl',
    kinds: ['http-api'],
    code: (key, host) => `curl -u '${key}:' \\
  -d '{"userId": "ada", "event": "Order Completed"}' \\
  ${host}/v1/track`,
  },
  {
    title: 'Browser',
    kinds: ['javascript'],
    code: (key, host) => `import { AnalyticsBrowser } from '@segment/analytics-next';

const analytics = AnalyticsBrowser.load({
  writeKey: '${key}',
  cdnURL: '${host}',
});
analytics.track('Order Completed');`,
  },
  {
    title: 'Node.js',
    kinds: ['node.js'],
    code: (key, host) => `import { Analytics } from '@segment/analytics-node';

const analytics = new Analytics({
  writeKey: '${key}',
  host: '${host}',
});
analytics.track({ userId: 'ada', event: 'Order Completed' });`,
  },
  {
    title: 'Python',
    kinds: ['python'],
    code: (key, host) => `import segment.analytics as analytics

analytics.write_key = '${key}'
analytics.host = '${host}'
analytics.track('ada', 'Order Completed')`,
  },
  {
    title: 'Go',
    kinds: ['go'],
    code: (key, host) => `client, _ := analytics.NewWithConfig("${key}", analytics.Config{
  Endpoint: "${host}",
})
client.Enqueue(analytics.Track{UserId: "ada", Event: "Order Completed"})`,
  },
  {
    title: 'Ruby',
    kinds: ['ruby'],
    code: (key, host) => `analytics = Segment::Analytics.new(
  write_key: '${key}',
  host: '${new URL(host).host}'
)
analytics.track(user_id: 'ada', event: 'Order Completed')`,
  },
  {
    title: 'PHP',
    kinds: ['php'],
    code: (key, host) => `Segment::init('${key}', ['host' => '${new URL(host).host}']);
Segment::track(['userId' => 'ada', 'event' => 'Order Completed']);`,
  },
  {
    title: 'Java',
    kinds: ['java', 'clojure', 'android'],
    code: (key, host) => `Analytics analytics = Analytics.builder("${key}")
  .endpoint("${host}")
  .build();
analytics.enqueue(TrackMessage.builder("Order Completed").userId("ada"));`,
  },
];

/** The one for a kind of the catalog; plain HTTP for kinds without one. */
export function snippetFor(kind: string): Snippet | undefined {
  return SNIPPETS.find(({ kinds }) => kinds.includes(kind)) ?? SNIPPETS[0];
}
