import { useState } from 'react';
import { nameOf, type Place } from '../destinations/queries.ts';
import { useChange, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { messageOf, refuses } from '../ui/errors.ts';
import { Failure } from '../ui/failure.tsx';
import { Field, InputField } from '../ui/field.tsx';
import { actionOf, type Effect, EFFECTS } from './actions.ts';
import { Preview } from './preview.tsx';

interface NewFilterProps {
  readonly place: Place;
  readonly cacheKey: readonly unknown[];
  readonly onClose: () => void;
}

export function NewFilter({ place, cacheKey, onClose }: NewFilterProps) {
  const { name } = useWorkspace();
  const [title, setTitle] = useState('');
  const [condition, setCondition] = useState('event = "Test event"');
  const [effect, setEffect] = useState<Effect>('drop');
  const [detail, setDetail] = useState('');
  const filter = { title, if: condition, actions: [actionOf(effect, detail)], enabled: true };
  const create = useChange((client) => client.filters.create(nameOf(name, place), filter), [cacheKey], onClose);
  const button = (
    <Button type="submit" look="primary" disabled={create.isPending}>
      Create filter
    </Button>
  );
  const isCondition = refuses(create.error, 'filter.if');
  return (
    <Dialog title="New filter" actions={button} onSubmit={() => create.mutate(undefined)} onClose={onClose}>
      <div className="stack">
        <InputField label="Title" value={title} onChange={setTitle} />
        <InputField
          label="For events where"
          hint={'A condition such as event = "Test" or properties.total < 10; all for every event.'}
          value={condition}
          error={isCondition ? messageOf(create.error) : undefined}
          isCode
          onChange={setCondition}
        />
        <EffectFields effect={effect} detail={detail} onEffect={setEffect} onDetail={setDetail} />
        <Preview filter={filter} />
        {create.error !== null && !isCondition && <Failure error={create.error} />}
      </div>
    </Dialog>
  );
}

interface EffectFieldsProps {
  readonly effect: Effect;
  readonly detail: string;
  readonly onEffect: (effect: Effect) => void;
  readonly onDetail: (detail: string) => void;
}

function EffectFields({ effect, detail, onEffect, onDetail }: EffectFieldsProps) {
  const choose = (value: string): void => {
    const found = EFFECTS.find(({ id }) => id === value);
    if (found !== undefined) onEffect(found.id);
  };
  return (
    <>
      <Field label="Do this">
        {(described) => (
          <select
            {...described}
            className="select"
            value={effect}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            {EFFECTS.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
      <DetailField effect={effect} detail={detail} onDetail={onDetail} />
    </>
  );
}

/** Empty, it would drop all events, or all that is in them. */
function DetailField({ effect, detail, onDetail }: Omit<EffectFieldsProps, 'onEffect'>) {
  if (effect === 'drop') return null;
  const field = { required: true, value: detail, onChange: onDetail };
  if (effect === 'sample')
    return <InputField label="Share in percent" type="number" min={0} max={100} step="any" {...field} />;
  return <InputField label="Properties" hint="By commas: total, address.city" {...field} />;
}
