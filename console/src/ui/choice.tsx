import { useEffect, useEffectEvent, useState } from 'react';

export interface Option {
  readonly value: string;
  readonly text: string;
}

interface InputProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

export function Choice({ label, value = '', options, onChange }: InputProps & { readonly options: readonly Option[] }) {
  return (
    <label className="field">
      <span className="small muted">{label}</span>
      <select className="select" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </label>
  );
}

const PAUSE_MS = 400;

/** Asked for once the person has stopped typing; follows what is asked for elsewhere, as by a link. */
export function Typed({
  label,
  value = '',
  placeholder = 'Any',
  onChange,
}: InputProps & { readonly placeholder?: string }) {
  const [text, setText] = useState(value);
  const [asked, setAsked] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    if (value !== asked) {
      setAsked(value);
      setText(value);
    }
  }
  const settle = useEffectEvent(() => {
    setAsked(text);
    onChange(text);
  });
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => settle(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <label className="field">
      <span className="small muted">{label}</span>
      <input
        type="search"
        className="input"
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </label>
  );
}
