import { webhooksConfig } from '@waybill/client/config';
import { type FormEvent, useState } from 'react';
import { useWorkspace } from '../session/workspace.tsx';
import { Card } from '../ui/card.tsx';
import { messageOf, refuses } from '../ui/errors.ts';
import { Failure } from '../ui/failure.tsx';
import { InputField } from '../ui/field.tsx';
import { limitText, SaveLimits } from '../ui/limits.tsx';
import { type Destination, useDestinationChange } from './queries.ts';
import { settingsOf } from './settings.ts';

/** In the order in which they are sent: the API names them by it. */
const LIMITS = [
  { id: 'maxPerSecond', label: 'Deliveries in a second', hint: 'Sent evenly. Empty for no limit.' },
  { id: 'maxInFlight', label: 'Deliveries in flight', hint: 'At once, 32 at most. Empty for 32.' },
] as const;

type Limit = (typeof LIMITS)[number]['id'];

/** How fast a destination is sent to; what is beyond waits. */
export function LimitsCard({ destination }: { readonly destination: Destination }) {
  const { canWrite } = useWorkspace();
  const now = textsOf(settingsOf(destination).limits);
  const [texts, setTexts] = useState(now);
  const save = useLimits(destination);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate({ maxPerSecond: Number(texts.maxPerSecond), maxInFlight: Number(texts.maxInFlight) });
  };
  const isRefused = LIMITS.map((_limit, index) => refuses(save.error, `config[${index}]`));
  return (
    <Card title="Limits" note="What is beyond a limit waits for its turn: that is no failure, and no attempt.">
      <form className="stack" onSubmit={submit}>
        <fieldset className="two bare" disabled={!canWrite}>
          <legend className="hidden-visually">Limits</legend>
          {LIMITS.map(({ id, ...words }, index) => (
            <InputField
              key={id}
              {...words}
              type="number"
              min={0}
              step="any"
              value={texts[id]}
              error={isRefused[index] === true ? messageOf(save.error) : undefined}
              onChange={(text) => setTexts({ ...texts, [id]: text })}
            />
          ))}
        </fieldset>
        {save.error !== null && !isRefused.includes(true) && <Failure error={save.error} />}
        {canWrite && <SaveLimits isPossible={JSON.stringify(texts) !== JSON.stringify(now) && !save.isPending} />}
      </form>
    </Card>
  );
}

function textsOf({ maxPerSecond, maxInFlight }: Readonly<Record<Limit, number>>): Readonly<Record<Limit, string>> {
  return { maxPerSecond: limitText(maxPerSecond), maxInFlight: limitText(maxInFlight) };
}

function useLimits(destination: Destination) {
  return useDestinationChange(destination, (client, limits: Readonly<Record<Limit, number>>) =>
    client.destinations.update(destination.name, {
      config: LIMITS.flatMap(({ id }) => webhooksConfig({ [id]: limits[id] })),
    }),
  );
}
