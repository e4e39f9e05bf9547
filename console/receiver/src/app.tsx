import { useEffect, useReducer, useState } from 'react';
import { Skeleton } from '../../src/ui/skeleton.tsx';
import { Notice } from '../../src/ui/notice.tsx';
import { NOTHING, withNews } from './arrived.ts';
import { Bar } from './bar.tsx';
import type { Control, Receiver } from './control.ts';
import { EndpointsCard } from './endpoints-card.tsx';
import { FirstRequest } from './first-request.tsx';
import { IncidentsCard } from './incidents-card.tsx';
import { RequestList } from './request-list.tsx';
import { RequestView } from './request-view.tsx';
import { type NewsState, useNews } from './use-news.ts';
import { useKeys, useSelected } from './use-selected.ts';

/** The list at the side, and one request beside it; on narrow screens one of the two. */
export function App({ control }: { readonly control: Control }) {
  const [arrived, hear] = useReducer(withNews, NOTHING);
  const [failure, setFailure] = useState<string>();
  const state = useNews(control, hear);
  const selected = useSelected();
  useKeys(arrived.requests);
  const { receiver, requests } = arrived;
  useTitle(receiver);
  const isEmpty = requests.length === 0;
  const summary = requests.find(({ number }) => number === selected);
  return (
    <>
      <Bar control={control} state={state} isEmpty={isEmpty} onFailure={setFailure} />
      <main className="desk" data-selected={summary !== undefined} data-empty={isEmpty}>
        <Trouble state={state} failure={failure} />
        {receiver === undefined && state === 'connecting' && <Skeleton />}
        {receiver !== undefined && (
          <>
            <div className="desk-list stack">
              <EndpointsCard control={control} receiver={receiver} />
              <RequestList arrived={arrived} selected={selected} />
              <IncidentsCard incidents={arrived.incidents} />
            </div>
            <div className="desk-request">
              {summary === undefined ? (
                <FirstRequest receiver={receiver} isFirst={isEmpty} />
              ) : (
                <RequestView key={summary.number} control={control} summary={summary} receiver={receiver} />
              )}
            </div>
          </>
        )}
      </main>
    </>
  );
}

function useTitle({ received: count }: Pick<Receiver, 'received'> = { received: 0 }): void {
  useEffect(() => {
    document.title = `${count === 0 ? '' : `(${count}) `}Waybill receiver`;
  }, [count]);
}

function Trouble({ state, failure }: { readonly state: NewsState; readonly failure: string | undefined }) {
  if (state === 'refused')
    return (
      <Notice tone="bad">
        <strong>The receiver does not know this page.</strong>
        <p>
          Open the address that it printed in its terminal, in the line “page”. Each start has an address of its own.
        </p>
      </Notice>
    );
  if (state === 'interrupted')
    return (
      <Notice tone="warn">
        <strong>The receiver does not answer.</strong>
        <p>It may have been stopped. What it told is still here; a new start has a new address, in its terminal.</p>
      </Notice>
    );
  return failure === undefined ? null : <Notice tone="bad">{failure}</Notice>;
}
