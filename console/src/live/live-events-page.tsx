import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { SourceCrumbs } from '../sources/source-crumbs.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Badge, type Tone } from '../ui/notice.tsx';
import { countText } from '../ui/numbers.ts';
import { Page } from '../ui/page.tsx';
import { Search } from '../ui/search.tsx';
import { type Heard, heardMore, matches, MAX_HEARD, NOTHING_HEARD } from './heard.ts';
import { LiveList } from './live-list.tsx';
import { type LiveState, useLive } from './use-live.ts';

const STATES: Readonly<Record<LiveState, readonly [tone: Tone, text: string]>> = {
  connecting: ['busy', 'Connecting'],
  live: ['ok', 'Live'],
  interrupted: ['warn', 'Interrupted, trying again'],
};

export function LiveEventsPage() {
  const { source } = useParams({ from: '/workspaces/$workspace/sources/$source/live' });
  const [heard, setHeard] = useState(NOTHING_HEARD);
  const [paused, setPaused] = useState<Heard>();
  const state = useLive(
    source,
    (message) => setHeard((before) => heardMore(before, message)),
    () => {},
  );
  const [tone, text] = STATES[state];
  const actions = (
    <span className="row">
      {paused === undefined ? <Badge tone={tone}>{text}</Badge> : <Badge tone="idle">Paused</Badge>}
      <Button disabled={heard.count === 0} onClick={() => setHeard(NOTHING_HEARD)}>
        Clear
      </Button>
      <Button look="primary" onClick={() => setPaused(paused === undefined ? heard : undefined)}>
        {paused === undefined ? 'Pause' : 'Resume'}
      </Button>
    </span>
  );
  return (
    <Page
      title="Live events"
      lead="What this router accepts from the source, as it comes. Nothing of it is kept here."
      crumbs={<SourceCrumbs source={source} />}
      actions={actions}
    >
      <Events heard={paused ?? heard} missed={paused === undefined ? 0 : heard.count - paused.count} />
    </Page>
  );
}

function Events({ heard: { events, count }, missed }: { readonly heard: Heard; readonly missed: number }) {
  const [search, setSearch] = useState('');
  const found = events.filter((event) => matches(event, search));
  if (events.length === 0) {
    return (
      <Card>
        <Empty icon="sources" title="Waiting for events …">
          They show up here the moment they are accepted. Send one from the page of the source to see it.
        </Empty>
      </Card>
    );
  }
  const shown = events.length < count ? `, the last ${Math.min(events.length, MAX_HEARD)} listed` : '';
  const note = `${countText(count)} since this page was opened${shown}${missed > 0 ? `; ${countText(missed)} more since it was paused` : ''}`;
  return (
    <Card title="Events" note={note} flush>
      <Search label="Filter events" onChange={setSearch} />
      {found.length === 0 ? (
        <Empty icon="sources" title="No event matches">
          The filter looks at names, ids and everything inside.
        </Empty>
      ) : (
        <LiveList events={found} />
      )}
    </Card>
  );
}
