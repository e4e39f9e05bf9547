import { useState } from 'react';
import type { DeliverySearch } from '../deliveries/search.ts';
import { nameOf, type Place } from '../destinations/queries.ts';
import { useChange, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { InputField } from '../ui/field.tsx';
import { filterOf, replaysKey } from './queries.ts';

interface ReplayProps {
  readonly place: Place;
  readonly search: DeliverySearch;
}

/** Sends what the filter chooses again; a job of the router, which goes on without this page. */
export function ReplayAll(props: ReplayProps) {
  const { canWrite } = useWorkspace();
  const [isAsked, setAsked] = useState(false);
  const isPossible = filterOf(props.search, 0) !== undefined;
  if (!canWrite) return null;
  return (
    <>
      <Button
        size="small"
        icon="replay"
        disabled={!isPossible}
        title={isPossible ? undefined : 'What has not ended is tried by itself'}
        onClick={() => setAsked(true)}
      >
        Replay these
      </Button>
      {isAsked && <ReplayDialog {...props} onClose={() => setAsked(false)} />}
    </>
  );
}

interface DialogProps extends ReplayProps {
  readonly onClose: () => void;
}

const PACE = { label: 'Deliveries in a second', hint: 'From 1 to 1000. Live events are never held up by it.' };

function ReplayDialog(props: DialogProps) {
  const { search, onClose } = props;
  const [perSecond, setPerSecond] = useState('50');
  const create = useReplay(props, perSecond);
  const buttons = (
    <>
      <Button disabled={create.isPending} onClick={() => create.mutate(true)}>
        Only count
      </Button>
      <Button type="submit" look="primary" disabled={create.isPending}>
        Replay
      </Button>
    </>
  );
  return (
    <Dialog title="Replay deliveries" actions={buttons} onSubmit={() => create.mutate(false)} onClose={onClose}>
      <div className="stack">
        <p className="muted">
          {search.state === undefined
            ? 'Deliveries of this filter that failed, expired or were cancelled are sent again'
            : `Deliveries of this filter that are ${search.state} are sent again`}
          , to the webhooks that the destination has now.
        </p>
        <InputField {...PACE} type="number" min={1} max={1_000} value={perSecond} onChange={setPerSecond} />
        {create.error !== null && <Failure error={create.error} />}
      </div>
    </Dialog>
  );
}

function useReplay({ place, search, onClose }: DialogProps, perSecond: string) {
  const { name } = useWorkspace();
  return useChange(
    (client, dryRun: boolean) =>
      client.replays.create(nameOf(name, place), {
        filter: filterOf(search, Date.now()) ?? {},
        per_second: Number(perSecond),
        dry_run: dryRun,
      }),
    [replaysKey(place)],
    onClose,
  );
}
