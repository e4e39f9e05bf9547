import { useState } from 'react';
import { useWorkspace } from '../session/workspace.tsx';
import { useSources } from '../sources/queries.ts';
import { type Fields, fieldsOf, listOf } from '../ui/json-fields.ts';
import { slugOf, titleOf } from '../ui/names.ts';
import { ComparisonFields } from './comparison-fields.tsx';
import type { Fault } from './faults.ts';
import { ChoiceField, ValueField } from './inputs.tsx';
import { hasPath, isOfAnyType, MEASURES, measureOf, withMeasure } from './measures.ts';
import { WindowFields } from './window-fields.tsx';

interface EventsProps {
  readonly value: Fields;
  readonly place: string;
  readonly fault: Fault | undefined;
  readonly onChange: (value: Fields) => void;
}

/** A condition on events: which of them, what is made of them, and when they have to be. */
export function EventsFields(props: EventsProps) {
  const { value, place, fault, onChange } = props;
  const measure = measureOf(value);
  const measured = fieldsOf(value[measure]);
  const change = (next: Fields): void => onChange({ ...value, [measure]: next });
  return (
    <>
      <WhereField {...props} />
      <div className="filters">
        <ChoiceField
          label="What counts"
          value={measure}
          choices={MEASURES}
          place={`${place}.${measure}`}
          fault={undefined}
          onChange={(id) => onChange(withMeasure(value, id))}
        />
        {hasPath(measure) && (
          <PathField
            value={measured['of']}
            place={`${place}.${measure}.of`}
            fault={fault}
            onChange={(of) => change({ ...measured, of })}
          />
        )}
        {measure !== 'happened' && (
          <ComparisonFields
            value={measured}
            isOfAnyType={isOfAnyType(measure)}
            place={`${place}.${measure}`}
            fault={fault}
            onChange={change}
          />
        )}
        <CountedFields {...props} />
      </div>
      <SourcesField {...props} />
    </>
  );
}

export function WhereField({ value, place, fault, onChange }: EventsProps) {
  return (
    <ValueField
      label="Events where"
      placeholder={'event = "Order Completed"'}
      isCode
      value={value['where']}
      place={`${place}.where`}
      fault={fault}
      onChange={(where) => onChange({ ...value, where })}
    />
  );
}

interface PathProps {
  readonly value: unknown;
  readonly place: string;
  readonly fault: Fault | undefined;
  readonly onChange: (path: unknown) => void;
}

export function PathField(props: PathProps) {
  return <ValueField label="Of the field" placeholder="properties.total" isCode {...props} />;
}

/** Within which time. */
export function CountedFields({ value, place, fault, onChange }: EventsProps) {
  const { window, ...others } = value;
  return (
    <WindowFields
      value={window}
      place={`${place}.window`}
      fault={fault}
      onChange={(next) => onChange(next === undefined ? others : { ...others, window: next })}
    />
  );
}

/** Events of all sources count until somebody chooses some of them. */
export function SourcesField({ value, onChange }: EventsProps) {
  const { name: workspace } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const known = useSources().data ?? [];
  const { sources, ...others } = value;
  const chosen = listOf(sources).map(String);
  const titles = new Map(known.map((source) => [source.name, titleOf(source)]));
  const names = [...new Set([...titles.keys(), ...chosen])];
  if (names.length < 2 && chosen.length === 0) return null;
  const change = (name: string, isChosen: boolean): void => {
    const next = isChosen ? [...chosen, name] : chosen.filter((one) => one !== name);
    onChange(next.length === 0 ? others : { ...others, sources: next });
  };
  return (
    <details className="choices" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{chosen.length === 0 ? 'Events of all sources' : `Events of ${chosen.length} sources`}</summary>
      <div className="row">
        {(isOpen ? names : []).map((name) => (
          <label key={name} className="row tight">
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={(event) => change(name, event.currentTarget.checked)}
            />
            {titles.get(name) ?? slugOf(name.slice(workspace.length))}
          </label>
        ))}
      </div>
    </details>
  );
}
