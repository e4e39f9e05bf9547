import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { type EventRule, plannedOf, type PropertyRule, TYPES } from './rules.ts';

interface EventEditorProps {
  readonly event: EventRule;
  readonly number: number;
  readonly onChange: (event: EventRule | undefined) => void;
}

/** One planned event with its properties. */
export function EventEditor({ event, number, onChange }: EventEditorProps) {
  const { name } = event;
  const [properties, setProperties] = useRows(event.properties);
  const put = (rows: readonly PropertyRule[]): void => {
    setProperties(rows);
    onChange({ name, properties: plannedOf(rows) });
  };
  const change = (index: number, property: PropertyRule | undefined): void =>
    put(property === undefined ? properties.toSpliced(index, 1) : properties.with(index, property));
  const what = name === '' ? `event ${number}` : name;
  return (
    <fieldset className="planned stack-tight">
      <legend className="hidden-visually">Event {number}</legend>
      <NameRow event={event} number={number} what={what} onChange={onChange} />
      {properties.map((property, index) => (
        <PropertyEditor
          key={index}
          property={property}
          isTwice={properties.findIndex((one) => one.name === property.name) < index}
          of={what}
          onChange={(changed) => change(index, changed)}
        />
      ))}
      <div>
        <Button
          size="small"
          look="quiet"
          icon="plus"
          onClick={() => put([...properties, { name: '', type: 'string', isRequired: false, schema: {} }])}
        >
          Add a property
        </Button>
      </div>
    </fieldset>
  );
}

/** Rows as they are typed, of which some are in no rules yet; where the rules are others by now, those. */
function useRows(planned: readonly PropertyRule[]) {
  const [rows, setRows] = useState(planned);
  return [textOf(plannedOf(rows)) === textOf(planned) ? rows : planned, setRows] as const;
}

/** Whatever the order: that of an object puts numbers first. */
function textOf(properties: readonly PropertyRule[]): string {
  return JSON.stringify(properties.toSorted((one, other) => (one.name < other.name ? -1 : 1)));
}

function NameRow({ event, number, what, onChange }: EventEditorProps & { readonly what: string }) {
  return (
    <div className="row tight">
      <input
        className="input grow"
        aria-label={`Name of event ${number}`}
        placeholder="Order Completed"
        value={event.name}
        onChange={({ currentTarget }) => onChange({ ...event, name: currentTarget.value })}
      />
      <Button
        size="small"
        look="quiet"
        icon="trash"
        aria-label={`Remove ${what}`}
        onClick={() => onChange(undefined)}
      />
    </div>
  );
}

interface PropertyEditorProps {
  readonly property: PropertyRule;
  /** Another one before it has this name. */
  readonly isTwice: boolean;
  readonly of: string;
  readonly onChange: (property: PropertyRule | undefined) => void;
}

function PropertyEditor({ property, isTwice, of, onChange }: PropertyEditorProps) {
  const { name, isRequired } = property;
  return (
    <div className="row tight planned-property">
      <input
        className="input mono grow"
        aria-label={`Property of ${of}`}
        placeholder="total"
        aria-invalid={isTwice}
        title={isTwice ? 'Another property has this name: this one is not saved.' : undefined}
        value={name}
        onChange={({ currentTarget }) => onChange({ ...property, name: currentTarget.value })}
      />
      <TypeChoice property={property} onChange={onChange} />
      <label className="row tight">
        <input
          type="checkbox"
          checked={isRequired}
          onChange={({ currentTarget }) => onChange({ ...property, isRequired: currentTarget.checked })}
        />
        Required
      </label>
      <Button
        size="small"
        look="quiet"
        icon="trash"
        aria-label={`Remove property ${name}`}
        onClick={() => onChange(undefined)}
      />
    </div>
  );
}

function TypeChoice({ property, onChange }: Pick<PropertyEditorProps, 'property' | 'onChange'>) {
  return (
    <select
      className="select"
      aria-label={`Type of ${property.name}`}
      value={property.type}
      onChange={({ currentTarget }) => onChange({ ...property, type: currentTarget.value })}
    >
      <option value="">any</option>
      {TYPES.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
}
