import type { AcceptedEvents } from '@waybill/client/config';
import { Card } from '../ui/card.tsx';
import { Notice } from '../ui/notice.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';

/** Of the router's own notices (D-82); `docs/notices.md` says the same at more length. */
export const NOTICES_KIND = 'catalog/sources/waybill-notices';

/** All that there are. */
const WHEN = {
  'destination.parked': 'a destination keeps failing',
  'destination.recovered': 'it has worked again for a while',
  'deliveries.given_up': 'once an hour, if deliveries failed or expired',
  'secret.expiring': 'a replaced secret is about to end',
  'audience.failed': 'runs of an audience fail',
};

const WHAT =
  'The router writes them to this source, about the deliveries of this workspace. It takes no events from outside: its write keys are refused.';

/** What such a source is, in the place of how events are sent to it. */
export function NoticesCard() {
  return (
    <Card title="Notices" note={WHAT} flush>
      <Table label="Kinds of notices" columns={COLUMNS} rows={Object.entries(WHEN)} keyOf={([notice]) => notice} />
    </Card>
  );
}

const COLUMNS: readonly Column<readonly [notice: string, when: string]>[] = [
  { title: 'Notice', cell: ([notice]) => <span className="mono small nowrap">{notice}</span> },
  { title: 'When', cell: ([, when]) => <span className="muted">{when}</span> },
];

/** Where the kind is chosen. */
export function ChosenNotices() {
  return (
    <Notice tone="idle">
      <strong>Nothing sends events to this source.</strong>
      <p>
        The router writes to it what happens to the deliveries of this workspace, such as a destination that keeps
        failing. Its write keys are refused. Add a webhook to it that is to be told.
      </p>
    </Notice>
  );
}

export function NoNotices({ since }: Pick<AcceptedEvents, 'since'>) {
  return (
    <Notice tone="idle">
      <strong>No notices</strong>
      <p>
        There was nothing to tell since the router started, <Time value={since} />, or no enabled webhook to tell.
      </p>
    </Notice>
  );
}
