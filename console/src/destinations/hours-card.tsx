import type { DeliveryMetric } from '@waybill/client/config';
import { AT_REST_MS, useRead } from '../session/workspace.tsx';
import { Card } from '../ui/card.tsx';
import { slugOf } from '../ui/names.ts';
import { type Bar, HOUR_MS, lastBars, TimeBars } from '../ui/time-bars.tsx';
import { nameOf, type Place } from './queries.ts';

const WORDS = { good: 'Delivered', bad: 'Not delivered' };

/** How the last 24 hours went, hour by hour. */
export function HoursCard({ place }: { readonly place: Place }) {
  const hours = useRead(
    ['sources', place.source, 'destinations', place.destination, 'hours'],
    async (client, signal, workspace) =>
      lastBars(barsOf(await client.metrics.list(nameOf(workspace, place), { signal })), 24, HOUR_MS, Date.now()),
    { every: 4 * AT_REST_MS },
  );
  if (hours.data === undefined) return null;
  return (
    <Card title="Last 24 hours">
      <TimeBars bars={hours.data} words={WORDS} unit="hour" />
    </Card>
  );
}

function barsOf(metrics: readonly DeliveryMetric[]): readonly Bar[] {
  const bars = new Map<number, Bar>();
  for (const { name, points } of metrics) {
    const metric = slugOf(name);
    const kind = metric === 'successes' ? 'good' : 'bad';
    if (kind === 'bad' && metric !== 'failures' && metric !== 'expirations') continue;
    for (const { time, value } of points) {
      const start = Date.parse(time);
      const bar = bars.get(start) ?? { start, good: 0, bad: 0 };
      bars.set(start, { ...bar, [kind]: bar[kind] + value });
    }
  }
  return [...bars.values()];
}
