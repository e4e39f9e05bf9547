import { Card } from '../../src/ui/card.tsx';
import { ExactTime } from '../../src/ui/time.tsx';
import type { Numbered } from './arrived.ts';
import { plain } from './plain-text.ts';

/** Connections that were no request, and senders that hung up. */
export function IncidentsCard({ incidents }: { readonly incidents: readonly Numbered[] }) {
  if (incidents.length === 0) return null;
  return (
    <Card title="Besides requests" flush>
      <ul className="incidents">
        {incidents.map(({ number, at, text }) => (
          <li key={number}>
            <span className="muted small">
              <ExactTime value={at} />
            </span>
            <span className="small wrap">{plain(text)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
