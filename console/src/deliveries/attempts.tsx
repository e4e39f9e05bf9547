import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { sentence, wordsOf } from '../ui/names.ts';
import { Badge, type Tone } from '../ui/notice.tsx';
import { durationText, ExactTime, Time } from '../ui/time.tsx';
import { Phases } from './phases.tsx';
import type { Story } from './queries.ts';

type Round = Story['rounds'][number];
type Attempt = Round['attempts'][number];

/** Newest first: what happened last is what people come for. */
export function Attempts({ rounds }: { readonly rounds: readonly Round[] }) {
  if (rounds.length === 0) {
    return (
      <Card title="Attempts">
        <Empty icon="clock" title="Not tried yet">
          The first attempt is made as soon as it is this delivery’s turn.
        </Empty>
      </Card>
    );
  }
  return rounds.toReversed().map((round) => <RoundCard key={round.round} round={round} />);
}

function RoundCard({ round: { round, attempts } }: { readonly round: Round }) {
  const [first] = attempts;
  const note = first === undefined ? 'No attempt was recorded.' : <Time value={first.start_time} />;
  return (
    <Card title={`Round ${round}`} note={note} flush>
      {attempts.map((attempt, index) => (
        <AttemptView key={index} attempt={attempt} />
      ))}
    </Card>
  );
}

const TONES: Readonly<Record<Attempt['next'], Tone>> = {
  delivered: 'ok',
  retried: 'warn',
  closed: 'bad',
  none: 'idle',
};

function AttemptView({ attempt }: { readonly attempt: Attempt }) {
  return (
    <article className="attempt stack-tight">
      <div className="row-between">
        <span className="row">
          <Badge tone={TONES[attempt.next]}>{outcomeText(attempt)}</Badge>
          <span className="mono small wrap">{attempt.webhook}</span>
        </span>
        <span className="muted small">
          <ExactTime value={attempt.start_time} />, took {durationText(attempt.duration_ms)}
        </span>
      </div>
      <p>
        {sentence(attempt.decision)}
        {attempt.next_due_time !== undefined && (
          <>
            {' '}
            The next try was set for <ExactTime value={attempt.next_due_time} />.
          </>
        )}
      </p>
      {attempt.phases !== undefined && <Phases phases={attempt.phases} />}
      {attempt.excerpt !== '' && (
        <div className="code">
          <pre tabIndex={0} aria-label="Begin of the answer">
            {attempt.excerpt}
          </pre>
        </div>
      )}
    </article>
  );
}

function outcomeText({ outcome, status }: Attempt): string {
  if (status === undefined) return wordsOf(outcome);
  return outcome.startsWith('http_') || outcome === 'delivered'
    ? `HTTP ${status}`
    : `HTTP ${status}, ${wordsOf(outcome)}`;
}
