import { Button } from '../ui/button.tsx';
import { type EventRule, type PropertyRule, TYPES } from './rules.ts';

interface EventEditorProps {
  readonly event: EventRule;
  readonly number: number;
  readonly onChange: (event: EventRule | undefined) => void;
}

/** One planned event with its properties. */
export function EventEditor({ event, number, onChange }: EventEditorProps) {
  const { name, properties } = event;
  const change = (index: number, property: PropertyRule | undefined): void =>
    onChange({
      name,
      properties: property === undefined ? properties.toSpliced(index, 1) : properties.with(index, property),
    });
  const what = name === '' ? `event ${number}` : name;
  return (
    <fieldset className="planned stack-tight">
      <legend className="hidden-visually">Event {number}</legend>
      <NameRow event={event} number={number} what={what} onChange={onChange} />
      {properties.map((property, index) => (
        <PropertyEditor key={index} property={property} of={what} onChange={(changed) => change(index, changed)} />
      ))}
      <div>
        <Button
          size="small"
          look="quiet"
          icon="plus"
          onClick={() =>
            onChange({ name, properties: [...properties, { name: '', type: 'string', isRequired: false }] })
          }
        >
          Add a property
        </Button>
      </div>
    </fieldset>
  );
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
  readonly of: string;
  readonly onChange: (property: PropertyRule | undefined) => void;
}

function PropertyEditor({ property, of, onChange }: PropertyEditorProps) {
  const { name, type, isRequired } = property;
  return (
    <div className="row tight planned-property">
      <input
        className="input mono grow"
        aria-label={`Property of ${of}`}
        placeholder="total"
        value={name}
        onChange={({ currentTarget }) => onChange({ ...property, name: currentTarget.value })}
      />
      <select
        className="select"
        aria-label={`Type of ${name}`}
        value={type}
        onChange={({ currentTarget }) => onChange({ ...property, type: currentTarget.value })}
      >
        <option value="">any</option>
        {TYPES.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
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
