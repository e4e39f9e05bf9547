import { Link } from '@tanstack/react-router';
import type { Violations } from '@waybill/client/config';
import { AT_REST_MS, useRead, useWorkspace } from '../session/workspace.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { wordsOf } from '../ui/names.ts';
import { Badge, type Tone } from '../ui/notice.tsx';
import { countText } from '../ui/numbers.ts';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';

type Violation = Violations['violations'][number];
type Count = Violations['counts'][number];

const SHOWN = 20;

/** What was found, by event and kind, and the last of it. */
export function ViolationsCard({ source }: { readonly source: string }) {
  const violations = useRead(
    ['sources', source, 'violations'],
    (client, signal, workspace) => client.violations.get(`${workspace}/sources/${source}`, { signal }),
    { every: AT_REST_MS },
  );
  return <Loaded query={violations}>{(data) => <Found violations={data} />}</Loaded>;
}

function Found({ violations: { since, counts, violations } }: { readonly violations: Violations }) {
  const { slug: workspace } = useWorkspace();
  if (counts.length === 0) {
    const toPlans = (
      <Link to="/workspaces/$workspace/plans" params={{ workspace }}>
        Tracking plans
      </Link>
    );
    return (
      <Card title="Violations">
        <Empty icon="plans" title="No violations" action={toPlans}>
          Nothing differed since <Time value={since} />. Events are held to a plan once the source is connected to one.
        </Empty>
      </Card>
    );
  }
  const note = (
    <>
      Since <Time value={since} />
    </>
  );
  return (
    <>
      <Card title="Violations" note={note} flush>
        <Table label="Violations by event" columns={COUNTS} rows={counts} keyOf={keyOfCount} />
      </Card>
      <Card title="Last violations" note="Without values: events may hold what is private." flush>
        <Table
          label="Last violations"
          columns={LAST}
          rows={violations.slice(0, SHOWN).map(numbered)}
          keyOf={({ key }) => key}
        />
      </Card>
    </>
  );
}

function keyOfCount({ type, event = '', kind }: Count): string {
  return `${type} ${event} ${kind}`;
}

const COUNTS: readonly Column<Count>[] = [
  { title: 'Event', cell: ({ type, event }) => <strong>{event ?? wordsOf(type)}</strong> },
  { title: 'Kind', cell: ({ kind }) => wordsOf(kind) },
  { title: 'Events', end: true, cell: ({ count }) => <span className="number">{countText(count)}</span> },
];

const TONES: Readonly<Record<Violation['action'], Tone>> = { allowed: 'idle', omitted: 'warn', blocked: 'bad' };

/** Several violations of one event have nothing else of their own. */
function numbered(violation: Violation, index: number): Violation & { readonly key: string } {
  return { ...violation, key: `${violation.message_id} ${index}` };
}

const LAST: readonly Column<Violation>[] = [
  {
    title: 'Event',
    cell: ({ type, event, message_id: id }) => (
      <div>
        <strong>{event ?? wordsOf(type)}</strong>
        <div className="muted mono small wrap">{id}</div>
      </div>
    ),
  },
  {
    title: 'What',
    cell: ({ field, message }) => (
      <span className="wrap">
        {field !== undefined && <code>{field}</code>} {message}
      </span>
    ),
  },
  { title: 'Effect', cell: ({ action }) => <Badge tone={TONES[action]}>{wordsOf(action)}</Badge> },
  {
    title: 'Received',
    end: true,
    cell: ({ receive_time: time }) => (
      <span className="muted">
        <Time value={time} />
      </span>
    ),
  },
];
