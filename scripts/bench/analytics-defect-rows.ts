import { setTimeout as sleep } from 'node:timers/promises';
import { accept, type BenchServer } from './analytics-server.ts';
import type { Rival, RivalOptions } from './analytics-rivals.ts';

/** One defect: what is done to either library, and what came of it in words. */
export interface Row {
  readonly defect: string;
  readonly run: (make: (options?: Partial<RivalOptions>) => Rival, server: BenchServer) => Promise<string>;
}

const events = (server: BenchServer): number => server.seen.reduce((total, { batch }) => total + batch.length, 0);

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
      const large = events(server);
      rival.track({ text: 'i'.repeat(32_000) });
      await rival.close(1_000);
      return `600 KB ${said} and ${large === 1 ? 'sent' : 'not sent'}; 32 000 "i" ${events(server) > large ? 'sent' : 'lost'}`;
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
      return `${events(server)} of 2 events arrived`;
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

export const SEND_ROWS: readonly Row[] = [
  {
    defect: '50 000 events: requests at a time',
    run: async (make, server) => {
      server.answer = (_, response) => void setTimeout(() => accept(response), 20);
      const rival = make({ maxQueueSize: 50_000 });
      for (let count = 0; count < 50_000; count += 1) rival.track({ count });
      await rival.close(60_000);
      return `${server.mostOpen} at most, ${events(server)} events arrived`;
    },
  },
  {
    defect: 'flush, with an event 200 ms into it',
    run: async (make, server) => {
      server.answer = (_, response) => void setTimeout(() => accept(response), 400);
      const rival = make({ intervalMs: 3_000 });
      rival.track({});
      const start = Date.now();
      const flushed = rival.flush();
      await sleep(200);
      rival.track({});
      await flushed;
      const after = Date.now() - start;
      await rival.close();
      return `resolved after ${round(after)} ms (the answer takes 400)`;
    },
  },
  {
    defect: 'second flush while the first waits',
    run: async (make, server) => {
      server.answer = (_, response) => void setTimeout(() => accept(response), 300);
      const rival = make();
      rival.track({});
      const first = rival.flush();
      const start = Date.now();
      await rival.flush();
      const after = Date.now() - start;
      await Promise.all([first, rival.close()]);
      return `resolved after ${round(after)} ms (the answer takes 300)`;
    },
  },
  {
    defect: 'close with a limit of 300 ms, server stalls',
    run: async (make, server) => {
      server.answer = (_, response) => void setTimeout(() => accept(response), 1_000);
      const rival = make();
      rival.track({});
      await rival.close(300);
      const atOnce = rival.reported.join() || 'nothing';
      await sleep(1_200);
      return `reported ${atOnce}, a second later ${rival.reported.join() || 'nothing'}`;
    },
  },
  {
    defect: 'Retry-After as a date, 2 to 3 s ahead',
    run: async (make, server) => {
      server.answer = (n, response) => {
        if (n > 0) return accept(response);
        response.writeHead(503, { 'retry-after': new Date(Date.now() + 3_000).toUTCString() }).end('{}');
      };
      const rival = make();
      rival.track({});
      await rival.close(10_000);
      return `came back after ${round((server.seen[1]?.at ?? 0) - (server.seen[0]?.at ?? 0))} ms`;
    },
  },
  {
    defect: 'first batch is retried',
    run: async (make, server) => {
      server.answer = (n, response) => (n > 0 ? accept(response) : void response.writeHead(503).end('{}'));
      const rival = make({ batch: 1 });
      rival.track({ n: 1 });
      rival.track({ n: 2 });
      await rival.close(10_000);
      return `requests came as ${server.seen.map(({ batch }) => JSON.stringify(batch[0]?.['properties'])).join(' ')}`;
    },
  },
  {
    defect: 'redirect 301',
    run: async (make, server) => {
      server.answer = (_, response) => void response.writeHead(301, { location: `${server.url}/other` }).end();
      const rival = make({ retries: 0 });
      rival.track({});
      await rival.close(2_000);
      return `reported ${rival.reported.join() || 'nothing'}`;
    },
  },
];

const round = (ms: number): number => Math.round(ms / 10) * 10;
