import { setTimeout as sleep } from 'node:timers/promises';
import { accept } from './analytics-server.ts';
import { eventsAt, type Row } from './analytics-call-rows.ts';

export const SEND_ROWS: readonly Row[] = [
  {
    defect: '50 000 events: requests at a time',
    run: async (make, server) => {
      server.answer = (_, response) => void setTimeout(() => accept(response), 20);
      const rival = make({ maxQueueSize: 50_000 });
      for (let count = 0; count < 50_000; count += 1) rival.track({ count });
      await rival.close(60_000);
      return `${server.mostOpen} at most, ${eventsAt(server)} events arrived`;
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
      server.answer = (n, response) =>
        n > 0 ? accept(response) : void response.writeHead(301, { location: `${server.url}/other` }).end();
      const rival = make({ retries: 0 });
      rival.track({});
      await rival.close(2_000);
      return `${eventsAt(server)} event sent, reported ${rival.reported.join() || 'nothing'}`;
    },
  },
  {
    defect: 'result of an event, answered at once',
    run: async (make) => {
      const rival = make({ batch: 1 });
      const start = Date.now();
      const after = new Promise<number>((resolve) => {
        rival.track({}, {}, () => resolve(Date.now() - start));
      });
      return `came after ${round(await after)} ms`;
    },
  },
  {
    defect: 'a listener that throws, of an event that is delivered',
    run: async (make, server) => {
      const rival = make();
      rival.listen(() => {
        throw new Error('of the listener');
      });
      rival.track({});
      await rival.close(2_000);
      return `${eventsAt(server)} event sent, reported ${rival.reported.join() || 'nothing'}`;
    },
  },
];

const round = (ms: number): number => Math.round(ms / 10) * 10;
