import { useId } from 'react';
import { useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { type Fields, fieldsOf, textOf } from '../ui/json-fields.ts';
import { sentence, titleOf } from '../ui/names.ts';
import { ComparisonFields } from './comparison-fields.tsx';
import { type Condition, conditionOf, CONDITIONS, newCondition, type Part } from './drafts.ts';
import { EventsFields } from './events-fields.tsx';
import { type Fault, isIn } from './faults.ts';
import { ChoiceField, ValueField } from './inputs.tsx';
import { type Kind, useComputedList } from './queries.ts';

interface ConditionProps extends Part {
  /** `2.1` for the first condition of the second group. */
  readonly number: string;
  readonly fault: Fault | undefined;
  readonly onChange: (draft: Fields) => void;
  readonly onRemove: () => void;
}

/** One condition of a definition; what the API says of it stands below its fields. */
export function ConditionEditor(props: ConditionProps) {
  const { draft, place, number, fault, onChange, onRemove } = props;
  const { canWrite } = useWorkspace();
  const faultId = useId();
  const kind = conditionOf(draft);
  const isFaulty = isIn(fault, place);
  return (
    <fieldset className="condition stack-tight" aria-describedby={isFaulty ? faultId : undefined} disabled={!canWrite}>
      <legend className="hidden-visually">Condition {number}</legend>
      <div className="row-between whole">
        <KindField kind={kind} number={number} onChange={(next) => onChange(newCondition(next))} />
        {canWrite && (
          <Button size="small" look="quiet" icon="trash" aria-label={`Remove condition ${number}`} onClick={onRemove} />
        )}
      </div>
      {kind === undefined ? <p className="muted">Only JSON shows this condition.</p> : <Body {...props} kind={kind} />}
      {isFaulty && (
        <p id={faultId} className="wrong" role="alert">
          {sentence(fault.text)}
        </p>
      )}
    </fieldset>
  );
}

interface KindProps {
  readonly kind: Condition | undefined;
  readonly number: string;
  readonly onChange: (kind: Condition) => void;
}

function KindField({ kind, number, onChange }: KindProps) {
  return (
    <select
      className="select narrow strong"
      aria-label={`Kind of condition ${number}`}
      value={kind ?? ''}
      onChange={(event) => {
        const found = CONDITIONS.find(({ id }) => id === event.currentTarget.value);
        if (found !== undefined) onChange(found.id);
      }}
    >
      {kind === undefined && <option value="">Other</option>}
      {CONDITIONS.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </select>
  );
}

function Body(props: ConditionProps & { readonly kind: Condition }) {
  const { kind, draft, place, fault, onChange } = props;
  if (kind === 'events')
    return (
      <EventsFields
        value={fieldsOf(draft['events'])}
        place={`${place}.events`}
        fault={fault}
        onChange={(events) => onChange({ events })}
      />
    );
  return (
    <div className="filters">
      {kind === 'trait' && <TraitField {...props} />}
      {kind === 'member_of' && <OtherField {...props} of="audiences" label="Audience" field={kind} />}
      {kind === 'computed_trait' && <OtherField {...props} of="computed-traits" label="Computed trait" field={kind} />}
      {kind !== 'member_of' && (
        <ComparisonFields
          value={fieldsOf(draft['is'])}
          isOfAnyType
          place={`${place}.is`}
          fault={fault}
          onChange={(is) => onChange({ ...draft, is })}
        />
      )}
    </div>
  );
}

function TraitField({ draft, place, fault, onChange }: ConditionProps) {
  return (
    <ValueField
      label="Trait"
      placeholder="plan"
      value={draft['trait']}
      place={`${place}.trait`}
      fault={fault}
      onChange={(trait) => onChange({ ...draft, trait })}
    />
  );
}

interface OtherProps extends Pick<ConditionProps, 'draft' | 'place' | 'fault' | 'onChange'> {
  readonly of: Kind;
  readonly label: string;
  readonly field: 'member_of' | 'computed_trait';
}

/** Another audience or computed trait, by its name. */
function OtherField({ of, label, field, draft, place, fault, onChange }: OtherProps) {
  const others = useComputedList(of).data ?? [];
  const given = textOf(draft[field]);
  const known = others.map((one) => ({ id: one.name, title: titleOf(one) }));
  const isKnown = known.some(({ id }) => id === given);
  const first = isKnown ? [] : [{ id: given, title: given === '' ? 'Choose one' : given }];
  return (
    <ChoiceField
      label={label}
      value={given}
      choices={[...first, ...known]}
      place={`${place}.${field}`}
      fault={fault}
      onChange={(name) => onChange({ ...draft, [field]: name })}
    />
  );
}
