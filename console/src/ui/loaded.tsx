import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { messageOf } from './errors.ts';
import { Failure } from './failure.tsx';
import { Notice } from './notice.tsx';
import { Skeleton } from './skeleton.tsx';

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** What was read; until then its place. What was read stays when a later read fails, with a word about it. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  const { data, error, refetch } = query;
  if (data !== undefined) {
    return (
      <>
        {error !== null && (
          <Notice tone="warn">
            <p>Not up to date: {messageOf(error)}</p>
            <Button size="small" onClick={() => void refetch()}>
              Try again
            </Button>
          </Notice>
        )}
        {children(data)}
      </>
    );
  }
  if (error !== null) return <Failure error={error} retry={() => void refetch()} />;
  return <Skeleton />;
}
