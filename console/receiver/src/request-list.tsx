import { useState } from 'react';
import { Card } from '../../src/ui/card.tsx';
import { Empty } from '../../src/ui/empty.tsx';
import { countText } from '../../src/ui/numbers.ts';
import { Search } from '../../src/ui/search.tsx';
import { ExactTime } from '../../src/ui/time.tsx';
import { AnswerWord } from './answer.tsx';
import { type Arrived, matches } from './arrived.ts';
import type { Summary } from './control.ts';
import { plain, sizeText } from './plain-text.ts';
import { VerdictBadge } from './verdict.tsx';

interface RequestListProps {
  readonly arrived: Arrived;
  readonly selected: number | undefined;
}

/** Newest first. */
export function RequestList({ arrived: { receiver, requests }, selected }: RequestListProps) {
  const [search, setSearch] = useState('');
  const found = requests.filter((request) => matches(request, search));
  const count = receiver?.received ?? 0;
  return (
    <Card title="Requests" note={noteOf(count, requests.length)} flush>
      {requests.length > 0 && <Search label="Filter requests" onChange={setSearch} />}
      {found.length === 0 ? (
        <Empty icon="sources" title={requests.length === 0 ? 'Waiting for the first request' : 'No request matches'}>
          {requests.length === 0
            ? 'It shows up here the moment it arrives.'
            : 'The filter looks at paths, events, verdicts and answers.'}
        </Empty>
      ) : (
        <ol className="requests">
          {found.map((request) => (
            <li key={request.number}>
              <Row request={request} isSelected={request.number === selected} />
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

function noteOf(count: number, listed: number): string {
  if (count === 0) return 'None so far';
  return listed < count ? `${countText(count)}, the last ${countText(listed)} are listed` : countText(count);
}

function Row({ request, isSelected }: { readonly request: Summary; readonly isSelected: boolean }) {
  const { number, at, method, path, bytes, attempt, signature } = request;
  return (
    <a href={`#${number}`} className="request" aria-current={isSelected ? 'true' : undefined}>
      <span className="request-top">
        <strong className="request-title">{titleOf(request)}</strong>
        <VerdictBadge signature={signature} />
      </span>
      <span className="request-bottom muted small">
        <span className="number">#{number}</span>
        <ExactTime value={at} />
        <span className="request-path mono">
          {method} {plain(path)}
        </span>
        {attempt > 1 && <span className="nowrap">attempt {attempt}</span>}
        <span className="nowrap number">{sizeText(bytes)}</span>
        <AnswerWord {...request} />
      </span>
    </a>
  );
}

/** What it is, as well as the receiver can tell. */
export function titleOf({ type, event, method, path }: Pick<Summary, 'type' | 'event' | 'method' | 'path'>): string {
  if (event !== undefined) return plain(event);
  return plain(type ?? `${method} ${path}`);
}
