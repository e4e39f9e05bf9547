import { isConfigApiError, type Quota } from '@waybill/client/config';
import { type FormEvent, useState } from 'react';
import { AT_REST_MS, useChange, useRead, useWorkspace } from '../session/workspace.tsx';
import { type Tile, Tiles } from '../destinations/summary-tiles.tsx';
import { Card } from '../ui/card.tsx';
import { messageOf } from '../ui/errors.ts';
import { Failure } from '../ui/failure.tsx';
import { InputField } from '../ui/field.tsx';
import { limitText, SaveLimits } from '../ui/limits.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Notice } from '../ui/notice.tsx';
import { countText, shareText } from '../ui/numbers.ts';
import { Page } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { AccessTabs } from './access-tabs.tsx';

const LIMITS = [
  { id: 'events_per_second', label: 'Events in a second', hint: 'On average. Empty for no limit.' },
  { id: 'events_per_day', label: 'Events in a day', hint: 'Of a day in UTC. Empty for no limit.' },
] as const;

const COUNT = { type: 'number', min: 0, step: 1 } as const;

type Limit = (typeof LIMITS)[number]['id'];
type Limits = Readonly<Record<Limit, number>>;

/** How many events the senders of this workspace may send, and have sent today. */
export function QuotaPage() {
  const { name } = useWorkspace();
  const quota = useRead(['quota'], (client, signal) => client.quotas.get(`${name}/quota`, { signal }), {
    every: 2 * AT_REST_MS,
  });
  return (
    <Page title="Quota" lead="Requests with events beyond a limit are refused whole; senders try again later.">
      <AccessTabs />
      <Loaded query={quota}>
        {(found) => (
          <div className="stack">
            <Tiles tiles={tilesOf(found)} />
            <LimitsOfWorkspace key={`${found.events_per_second}/${found.events_per_day}`} quota={found} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function tilesOf(quota: Quota): readonly Tile[] {
  const { events_per_day: day, events_today: sent, refused_requests_today: refused } = quota;
  const isCounted = day > 0 || quota.events_per_second > 0;
  const note = day > 0 ? `${shareText(sent, day)} of the limit` : 'Counted while a limit is set';
  return [
    { title: 'Events today', value: isCounted ? countText(sent) : 'Not counted', note },
    {
      title: 'Requests refused today',
      value: countText(refused),
      note: 'Answered 429, with Retry-After',
      tone: refused > 0 ? 'bad' : undefined,
    },
  ];
}

function LimitsOfWorkspace({ quota }: { readonly quota: Quota }) {
  const { canWrite } = useWorkspace();
  const now = {
    events_per_second: limitText(quota.events_per_second),
    events_per_day: limitText(quota.events_per_day),
  };
  const [texts, setTexts] = useState<Readonly<Record<Limit, string>>>(now);
  const save = useChange((client, limits: Limits) => client.quotas.update(quota.name, limits), [['quota']]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate({ events_per_second: Number(texts.events_per_second), events_per_day: Number(texts.events_per_day) });
  };
  const isChanged = LIMITS.some(({ id }) => texts[id] !== now[id]);
  const note = (
    <>
      They hold over all routers together. The next day begins <Time value={quota.reset_time} />.
    </>
  );
  return (
    <Card title="Limits" note={note}>
      <form className="stack" onSubmit={submit}>
        <fieldset className="two bare" disabled={!canWrite}>
          <legend className="hidden-visually">Limits</legend>
          {LIMITS.map(({ id, ...words }) => (
            <InputField
              key={id}
              {...words}
              {...COUNT}
              value={texts[id]}
              onChange={(text) => setTexts({ ...texts, [id]: text })}
            />
          ))}
        </fieldset>
        <Refusal error={save.error} />
        {canWrite && <SaveLimits isPossible={isChanged && !save.isPending} />}
      </form>
    </Card>
  );
}

function Refusal({ error }: { readonly error: Error | null }) {
  if (error === null) return null;
  if (isConfigApiError(error, 'PermissionDenied')) return <Notice tone="idle">{messageOf(error)}</Notice>;
  return <Failure error={error} />;
}
