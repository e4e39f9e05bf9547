import { Link, useParams } from '@tanstack/react-router';
import { placeOf } from '../destinations/queries.ts';
import { useWorkspace } from '../session/workspace.tsx';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { sentence, slugOf } from '../ui/names.ts';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Due, ExactTime, Time, Told } from '../ui/time.tsx';
import { Attempts } from './attempts.tsx';
import { STATE_TONES, StateBadge, titleOfEvent } from './delivery-table.tsx';
import { type Story, useStory } from './queries.ts';
import { ReplayButton } from './replay-button.tsx';

const FROM = '/workspaces/$workspace/sources/$source/destinations/$destination/deliveries/$delivery';

export function DeliveryPage() {
  const { delivery, ...place } = useParams({ from: FROM });
  const story = useStory(place, delivery);
  return <Loaded query={story}>{(data) => <DeliveryView story={data} />}</Loaded>;
}

function DeliveryView({ story }: { readonly story: Story }) {
  const { slug: workspace } = useWorkspace();
  const place = placeOf(story.name);
  const crumbs = (
    <>
      <Link to="/workspaces/$workspace/deliveries" params={{ workspace }} search={place}>
        Deliveries
      </Link>
      <Link to="/workspaces/$workspace/sources/$source" params={{ workspace, ...place }}>
        {place.source}
      </Link>
      <Link to="/workspaces/$workspace/sources/$source/destinations/$destination" params={{ workspace, ...place }}>
        {place.destination}
      </Link>
    </>
  );
  const lead = (
    <span className="row">
      <StateBadge state={story.state} />
      Delivery {slugOf(story.name)}
    </span>
  );
  return (
    <Page title={titleOfEvent(story)} lead={lead} crumbs={crumbs} actions={<ReplayButton story={story} />}>
      <div className="stack">
        <Verdict story={story} />
        <div className="split">
          <div className="stack">
            <Attempts rounds={story.rounds} />
          </div>
          <div className="stack">
            <Facts story={story} />
            <Timeline story={story} />
          </div>
        </div>
      </div>
    </Page>
  );
}

/** What happened in one sentence, and what may help. */
function Verdict({ story: { state, explanation, due_time: due } }: { readonly story: Story }) {
  return (
    <Notice tone={STATE_TONES[state]}>
      <strong>
        <Told text={explanation.summary} />
      </strong>
      {due !== undefined && (
        <p>
          Next try: <Due value={due} />
        </p>
      )}
      {explanation.hints.map((hint) => (
        <p key={hint}>{sentence(hint)}</p>
      ))}
    </Notice>
  );
}

function Facts({ story }: { readonly story: Story }) {
  const facts = [
    ['Type', story.type],
    ['User', story.user_id === '' ? '–' : story.user_id],
    [
      'Message id',
      <span key="id" className="mono small">
        {story.message_id}
      </span>,
    ],
    ['Accepted', <Time key="accepted" value={story.receive_time} />],
    ['Rounds', String(story.round_count)],
    ['Replays', String(story.replay_count)],
    ...(story.due_time === undefined ? [] : [['Next try', <Due key="due" value={story.due_time} />] as const]),
    ...(story.end_time === undefined ? [] : [['Ended', <Time key="ended" value={story.end_time} />] as const]),
  ] as const;
  return (
    <Card title="Event">
      <dl className="facts narrow">
        {facts.map(([title, value]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Timeline({ story }: { readonly story: Story }) {
  return (
    <Card title="Timeline">
      <ol className="timeline">
        {story.explanation.timeline.map(({ time, text }, index) => (
          <li key={index}>
            <ExactTime value={time} />
            <Told text={text} />
          </li>
        ))}
      </ol>
    </Card>
  );
}
