import { useState } from 'react';
import { Field } from '../ui/field.tsx';
import { type Fault, isIn } from './faults.ts';
import { type Reading, TEXT } from './values.ts';

interface Placed {
  readonly label: string;
  /** Where in the definition it is; what the API says of it marks it. */
  readonly place: string;
  readonly fault: Fault | undefined;
}

interface ValueFieldProps extends Placed {
  readonly value: unknown;
  readonly reading?: Reading;
  readonly placeholder?: string;
  readonly hint?: string;
  readonly isCode?: boolean;
  readonly onChange: (value: unknown) => void;
}

/** What was typed stays as it was typed, for as long as it means the value. */
export function ValueField(props: ValueFieldProps) {
  const { label, place, fault, value, reading = TEXT, placeholder, hint, isCode = false, onChange } = props;
  const [typed, setTyped] = useState(() => reading.print(value));
  const text = JSON.stringify(reading.read(typed)) === JSON.stringify(value) ? typed : reading.print(value);
  const change = (next: string): void => {
    setTyped(next);
    onChange(reading.read(next));
  };
  return (
    <Field label={label} hint={hint}>
      {(described) => (
        <input
          {...described}
          className={isCode ? 'input mono' : 'input'}
          spellCheck={false}
          placeholder={placeholder}
          aria-invalid={isIn(fault, place)}
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export interface Choice {
  readonly id: string;
  readonly title: string;
}

interface ChoiceFieldProps<Choices extends readonly Choice[]> extends Placed {
  readonly value: string;
  readonly choices: Choices;
  readonly onChange: (id: Choices[number]['id']) => void;
}

export function ChoiceField<const Choices extends readonly Choice[]>(props: ChoiceFieldProps<Choices>) {
  const { label, place, fault, value, choices, onChange } = props;
  const choose = (id: string): void => {
    const found = choices.find((choice) => choice.id === id);
    if (found !== undefined) onChange(found.id);
  };
  return (
    <Field label={label}>
      {(described) => (
        <select
          {...described}
          className="select"
          aria-invalid={isIn(fault, place)}
          value={value}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {choices.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
