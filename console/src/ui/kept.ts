import { useQueryClient } from '@tanstack/react-query';
import { type RouterHistory, useRouter } from '@tanstack/react-router';
import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';

/**
 * State of a view that is there again for whoever goes back to it, as its scroll position is: how far a list was read. Who comes
 * by a link begins anew. It is forgotten with everything else when the session ends.
 */
export function useKept<T>(name: string, initial: () => T): [T, Dispatch<SetStateAction<T>>] {
  const queries = useQueryClient();
  const { history } = useRouter();
  // The entry of the history in which it was shown first: that of the next view comes before this one goes.
  const [key] = useState(() => ['kept', entryOf(history.location), name]);
  const [value, setValue] = useState(() => queries.getQueryData<T>(key) ?? initial());
  useEffect(() => {
    queries.setQueryDefaults(key, { gcTime: Infinity });
    queries.setQueryData(key, () => value);
  }, [queries, key, value]);
  return [value, setValue];
}

function entryOf({ state: { __TSR_key: key } }: RouterHistory['location']): string | undefined {
  return key;
}
