import type { BenchServer } from './analytics-server.ts';
import type { Rival, RivalOptions } from './analytics-rivals.ts';

/** One defect: what is done to either library, and what came of it in words. */
export interface Row {
  readonly defect: string;
  readonly run: (make: (options?: Partial<RivalOptions>) => Rival, server: BenchServer) => Promise<string>;
}

export const eventsAt = (server: BenchServer): number =>
  server.seen.reduce((total, { batch }) => total + batch.length, 0);

export const CALL_ROWS: readonly Row[] = [
  {
    defect: 'BigInt in an event',
    run: async (make, server) => {
      const rival = make();
      const said = rival.track({ value: 1n });
      await rival.close(1_000);
      return `call ${said}; ${server.seen.length} requests; reported ${rival.reported.join() || 'nothing'}`;
    },
  },
  {
    defect: 'size check: 600 KB of "a", 32 000 "i"',
    run: async (make, server) => {
      const rival = make({ retries: 0 });
      const said = rival.track({ text: 'a'.repeat(600_000) });
      await rival.flush();
      const large = eventsAt(server);
      rival.track({ text: 'i'.repeat(32_000) });
      await rival.close(1_000);
      return `600 KB ${said} and ${large === 1 ? 'sent' : 'not sent'}; 32 000 "i" ${eventsAt(server) > large ? 'sent' : 'lost'}`;
    },
  },
  {
    defect: 'an object that turns circular after its call',
    run: async (make, server) => {
      const rival = make({ retries: 1 });
      const properties: Record<string, unknown> = {};
      rival.track(properties);
      rival.track({});
      properties['self'] = properties;
      await rival.close(10_000);
      return `${eventsAt(server)} of 2 events arrived`;
    },
  },
  {
    defect: 'properties changed after the call',
    run: async (make, server) => {
      const rival = make();
      const properties = { v: 1 };
      rival.track(properties);
      properties.v = 2;
      await rival.close();
      return `sent ${JSON.stringify(server.seen[0]?.batch[0]?.['properties'])}`;
    },
  },
  {
    defect: 'caller’s context',
    run: async (make) => {
      const rival = make();
      const context = {};
      rival.track({}, { context });
      await rival.close();
      return `is now {${Object.keys(context).join()}}`;
    },
  },
  {
    defect: 'empty event name, empty user id',
    run: async (make) => {
      const rival = make();
      const said = [rival.track({}, { event: '' }), rival.track({}, { userId: '' })].join('; ');
      await rival.close();
      return said;
    },
  },
  {
    defect: 'switched off',
    run: async (make) => {
      const rival = make({ off: true });
      rival.track({});
      await rival.close();
      return `reported ${rival.reported.join() || 'nothing'}`;
    },
  },
  {
    defect: 'consecutive message ids',
    run: async (make, server) => {
      const rival = make();
      for (let count = 0; count < 100; count += 1) rival.track({});
      await rival.close();
      const ids = server.seen.flatMap(({ batch }) => batch.map((message) => String(message['messageId']).slice(-36)));
      // A window that slides by one byte of its pool shows the end of one id inside the next.
      const alike = ids.filter((id, at) => at > 0 && sharesRun(id, ids[at - 1] ?? ''));
      return `${alike.length} of 99 share 8 hex digits or more with the one before`;
    },
  },
];

function sharesRun(one: string, other: string): boolean {
  const [a, b] = [one.replaceAll('-', ''), other.replaceAll('-', '')];
  return Array.from({ length: a.length - 7 }, (_, at) => a.slice(at, at + 8)).some((run) => b.includes(run));
}
