import type { DeliveryMetricsSummary } from '@waybill/client/config';
import type { ReactNode } from 'react';
import { Loaded } from '../ui/loaded.tsx';
import { countText, shareText } from '../ui/numbers.ts';
import { durationText } from '../ui/time.tsx';
import { type Place, useSummary } from './queries.ts';

/** What the last 24 hours came to. */
export function SummaryTiles({ place }: { readonly place: Place }) {
  return <Loaded query={useSummary(place)}>{(summary) => <Tiles tiles={tilesOf(summary)} />}</Loaded>;
}

export interface Tile {
  readonly title: string;
  readonly value: ReactNode;
  readonly note: ReactNode;
  readonly tone?: 'bad' | 'warn' | undefined;
}

export function Tiles({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <dl className="tiles">
      {tiles.map(({ title, value, note, tone }) => (
        <div key={title} className="card tile">
          <dt>{title}</dt>
          <dd className={`number ${tone ?? ''}`}>{value}</dd>
          <dd className="muted small">{note}</dd>
        </div>
      ))}
    </dl>
  );
}

function tilesOf(summary: DeliveryMetricsSummary): readonly Tile[] {
  const { successes, failures, expirations, retries, time_to_success: times } = summary;
  const lost = failures + expirations;
  const ended = successes + lost;
  return [
    {
      title: 'Delivered',
      value: countText(successes),
      note: ended === 0 ? 'last 24 hours' : `${shareText(successes, ended)} of what ended`,
    },
    {
      title: 'Not delivered',
      value: countText(lost),
      note: `${countText(failures)} failed, ${countText(expirations)} expired`,
      tone: lost > 0 ? 'bad' : undefined,
    },
    {
      title: 'Retries',
      value: countText(retries),
      note: 'attempts that were repeated',
      tone: retries > 0 ? 'warn' : undefined,
    },
    {
      title: 'Time to deliver',
      value: times === undefined ? '–' : durationText(times.p50),
      note: times === undefined ? 'nothing delivered yet' : `half of them; 95 % within ${durationText(times.p95)}`,
    },
  ];
}
