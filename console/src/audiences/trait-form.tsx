import { useWorkspace } from '../session/workspace.tsx';
import { type Fields, fieldsOf } from '../ui/json-fields.ts';
import { sentence } from '../ui/names.ts';
import { CountedFields, PathField, SourcesField, WhereField } from './events-fields.tsx';
import { type Fault, isIn } from './faults.ts';
import { ChoiceField } from './inputs.tsx';
import { TRAIT_KINDS, withTraitKind } from './measures.ts';

interface TraitProps {
  readonly draft: Fields;
  readonly fault: Fault | undefined;
  readonly onChange: (draft: Fields) => void;
}

/** What value a user gets: one of ten kinds, out of some events. */
export function TraitForm({ draft, fault, onChange }: TraitProps) {
  const { canWrite } = useWorkspace();
  const kind = TRAIT_KINDS.find(({ id }) => id in draft)?.id ?? 'counter';
  const value = fieldsOf(draft[kind]);
  const place = `definition.${kind}`;
  const change = (inner: Fields): void => onChange({ [kind]: inner });
  const events = { value, place, fault, onChange: change };
  return (
    <fieldset className="condition stack-tight" disabled={!canWrite}>
      <legend className="hidden-visually">Definition</legend>
      <div className="filters">
        <ChoiceField
          label="Value of each user"
          value={kind}
          choices={TRAIT_KINDS}
          place={place}
          fault={undefined}
          onChange={(id) => onChange(withTraitKind(value, id))}
        />
        {kind !== 'counter' && (
          <PathField
            value={value['of']}
            place={`${place}.of`}
            fault={fault}
            onChange={(of) => change({ ...value, of })}
          />
        )}
        <CountedFields {...events} />
      </div>
      <WhereField {...events} />
      <SourcesField {...events} />
      {isIn(fault, 'definition') && (
        <p className="wrong" role="alert">
          {sentence(fault.text)}
        </p>
      )}
    </fieldset>
  );
}
