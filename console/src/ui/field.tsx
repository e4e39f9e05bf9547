import { type ComponentProps, type ReactNode, useId } from 'react';

/** What an input needs so that its label, hint and error belong to it. */
export interface Described {
  readonly id: string;
  readonly 'aria-describedby': string;
  readonly 'aria-invalid': boolean;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly children: (described: Described) => ReactNode;
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-hint`, 'aria-invalid': error !== undefined })}
      <div id={`${id}-hint`}>
        {error !== undefined && <div className="wrong">{error}</div>}
        {hint !== undefined && <div className="hint">{hint}</div>}
      </div>
    </div>
  );
}

interface InputFieldProps
  extends
    Omit<FieldProps, 'children'>,
    Pick<
      ComponentProps<'input'>,
      'type' | 'min' | 'max' | 'step' | 'pattern' | 'title' | 'placeholder' | 'required' | 'autoComplete' | 'autoFocus'
    > {
  readonly value: string;
  readonly isCode?: boolean;
  readonly onChange: (value: string) => void;
}

/** A line of text, or a number. */
export function InputField({ label, hint, error, isCode = false, onChange, ...input }: InputFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(described) => (
        <input
          {...described}
          {...input}
          className={isCode ? 'input mono' : 'input'}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Switch({ label, checked, disabled = false, onChange }: SwitchProps) {
  return (
    <input
      type="checkbox"
      role="switch"
      className="switch"
      aria-label={label}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
