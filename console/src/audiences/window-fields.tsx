import { fieldsOf, listOf } from '../ui/json-fields.ts';
import type { Fault } from './faults.ts';
import { ChoiceField, ValueField } from './inputs.tsx';

const WINDOWS = [
  { id: 'always', title: 'Any time' },
  { id: 'within', title: 'The last' },
  { id: 'between', title: 'Between' },
  { id: 'since', title: 'Since' },
] as const;

type Form = (typeof WINDOWS)[number]['id'];

interface WindowProps {
  /** Undefined for any time. */
  readonly value: unknown;
  readonly place: string;
  readonly fault: Fault | undefined;
  readonly onChange: (window: object | undefined) => void;
}

/** When events have to be; durations are hours and days, `12h` and `30d`. */
export function WindowFields(props: WindowProps) {
  const { value, place, onChange } = props;
  const form = WINDOWS.find(({ id }) => id in fieldsOf(value))?.id ?? 'always';
  return (
    <>
      <ChoiceField
        label="When"
        value={form}
        choices={WINDOWS}
        place={place}
        fault={undefined}
        onChange={(id) => onChange(newWindow(id))}
      />
      {form !== 'always' && <Ends {...props} form={form} />}
    </>
  );
}

function Ends({ form, value, place, fault, onChange }: WindowProps & { readonly form: Exclude<Form, 'always'> }) {
  const { within, between, since } = fieldsOf(value);
  const [near, far] = listOf(between);
  const end = (at: string) => ({ placeholder: '30d', place: `${place}.${at}`, fault });
  switch (form) {
    case 'within':
      return (
        <ValueField
          label="Hours or days"
          {...end('within')}
          value={within}
          onChange={(next) => onChange({ within: next })}
        />
      );
    case 'between':
      return (
        <>
          <ValueField
            label="From so long ago"
            {...end('between[1]')}
            value={far}
            onChange={(next) => onChange({ between: [near, next] })}
          />
          <ValueField
            label="To so long ago"
            {...end('between[0]')}
            value={near}
            onChange={(next) => onChange({ between: [next, far] })}
          />
        </>
      );
    case 'since':
      return (
        <ValueField label="Whole hour" {...end('since')} value={since} onChange={(next) => onChange({ since: next })} />
      );
  }
}

function newWindow(form: Form): object | undefined {
  switch (form) {
    case 'always':
      return undefined;
    case 'within':
      return { within: '30d' };
    case 'between':
      return { between: ['30d', '90d'] };
    case 'since':
      return { since: `${new Date().toISOString().slice(0, 10)}T00:00:00Z` };
  }
}
