import type { DeliveryMetric } from '@waybill/client/config';
import { AT_REST_MS, useRead } from '../session/workspace.tsx';
import { Card } from '../ui/card.tsx';
import { HourChart, hoursOf } from '../ui/hour-chart.tsx';
import { slugOf } from '../ui/names.ts';
import { nameOf, type Place } from './queries.ts';

/** How the last 24 hours went, hour by hour. */
export function HoursCard({ place }: { readonly place: Place }) {
  const hours = useRead(
    ['sources', place.source, 'destinations', place.destination, 'hours'],
    async (client, signal, workspace) => {
      const metrics = await client.metrics.list(nameOf(workspace, place), { signal });
      const good = pointsOf(metrics, ['successes']);
      return hoursOf(good, pointsOf(metrics, ['failures', 'expirations']), Date.now());
    },
    { every: 4 * AT_REST_MS },
  );
  if (hours.data === undefined) return null;
  return (
    <Card title="Last 24 hours">
      <HourChart hours={hours.data} good="Delivered" bad="Not delivered" />
    </Card>
  );
}

function pointsOf(metrics: readonly DeliveryMetric[], names: readonly string[]): DeliveryMetric['points'] {
  return metrics.filter(({ name }) => names.includes(slugOf(name))).flatMap(({ points }) => points);
}
