import type { Replay } from '@waybill/client/config';
import { placeOf, type Place } from '../destinations/queries.ts';
import { useChange, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { messageOf } from '../ui/errors.ts';
import { slugOf, wordsOf } from '../ui/names.ts';
import { Badge, type Tone } from '../ui/notice.tsx';
import { countText } from '../ui/numbers.ts';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { replaysKey, useReplays } from './queries.ts';

/** How far bulk replays have got; nothing while there was none. */
export function ReplaysCard({ place }: { readonly place: Place }) {
  const { data = [] } = useReplays(place);
  if (data.length === 0) return null;
  return (
    <Card title="Bulk replays" flush>
      <Table label="Bulk replays" columns={COLUMNS} rows={data} keyOf={({ name }) => name} />
    </Card>
  );
}

const TONES: Readonly<Record<Replay['state'], Tone>> = { running: 'busy', finished: 'ok', cancelled: 'idle' };

const COLUMNS: readonly Column<Replay>[] = [
  {
    title: 'Replay',
    cell: ({ name, dry_run }) => <strong>{`${slugOf(name)}${dry_run ? ', only counted' : ''}`}</strong>,
  },
  { title: 'Filter', cell: ({ filter }) => <span className="muted wrap">{filterText(filter)}</span> },
  { title: 'State', cell: ({ state }) => <Badge tone={TONES[state]}>{wordsOf(state)}</Badge> },
  {
    title: 'Progress',
    cell: ({ examined, matched, replayed, dry_run }) => (
      <span className="number">
        {dry_run
          ? `${countText(matched)} of ${countText(examined)}`
          : `${countText(replayed)} of ${countText(matched)} sent again`}
      </span>
    ),
  },
  { title: 'Begun', isMinor: true, cell: ({ create_time }) => <Time value={create_time} /> },
  { title: 'Cancel', end: true, cell: (replay) => <CancelReplay replay={replay} /> },
];

function filterText(filter: Replay['filter']): string {
  const { state = 'failed, expired, cancelled', ...others } = filter;
  return [state, ...Object.entries(others).map(([name, value]) => `${wordsOf(name)} ${value}`)].join(' · ');
}

function CancelReplay({ replay }: { readonly replay: Replay }) {
  const { canWrite } = useWorkspace();
  const cancel = useChange((client) => client.replays.cancel(replay.name), [replaysKey(placeOf(replay.name))]);
  if (!canWrite || replay.state !== 'running') return null;
  return (
    <>
      {cancel.error !== null && <span className="wrong">{messageOf(cancel.error)}</span>}
      <Button
        size="small"
        aria-label={`Cancel replay ${slugOf(replay.name)}`}
        disabled={cancel.isPending}
        onClick={() => cancel.mutate(undefined)}
      >
        Cancel
      </Button>
    </>
  );
}
