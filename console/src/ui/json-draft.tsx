import { useState } from 'react';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import type { Fields } from './json-fields.ts';

/** An object that is edited as a form, or as JSON; both edit the same draft. */
export interface JsonDraft {
  /** Undefined while the text is no JSON object. */
  readonly value: Fields | undefined;
  /** What the form shows. */
  readonly draft: Fields;
  /** Undefined while the form is shown. */
  readonly text: string | undefined;
  readonly error: string | undefined;
  readonly setText: (text: string) => void;
  readonly setDraft: (draft: Fields) => void;
  /** Shows the other of the two. */
  readonly turn: () => void;
}

export function useJsonDraft(initial: Fields): JsonDraft {
  const [draft, setDraft] = useState(initial);
  const [text, setText] = useState<string>();
  const { value, error } = text === undefined ? { value: draft } : readObject(text);
  return {
    value,
    draft,
    text,
    error,
    setText,
    setDraft(next) {
      setDraft(next);
      if (text !== undefined) setText(format(next));
    },
    turn() {
      if (value !== undefined) setDraft(value);
      setText(text === undefined ? format(draft) : undefined);
    },
  };
}

export function TurnButton({ json: { text, value, turn } }: { readonly json: JsonDraft }) {
  return (
    <Button size="small" disabled={value === undefined} onClick={turn}>
      {text === undefined ? 'Edit as JSON' : 'Edit as a form'}
    </Button>
  );
}

interface JsonFieldProps {
  readonly json: JsonDraft;
  readonly label: string;
  readonly hint?: string;
  /** What the API said of it. */
  readonly refusal?: string | undefined;
  readonly isFixed?: boolean;
}

export function JsonField({ json, label, hint, refusal, isFixed = false }: JsonFieldProps) {
  return (
    <Field label={label} hint={hint} error={json.error ?? refusal}>
      {(described) => (
        <textarea
          {...described}
          className="input mono small"
          rows={Math.min(24, Math.max(10, (json.text ?? '').split('\n').length + 1))}
          spellCheck={false}
          readOnly={isFixed}
          value={json.text ?? ''}
          onChange={(event) => json.setText(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

function format(value: Fields): string {
  return JSON.stringify(value, undefined, 2);
}

function readObject(text: string): { readonly value: Fields | undefined; readonly error?: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value: Object(value) };
    return { value: undefined, error: 'This has to be a JSON object.' };
  } catch (error) {
    return { value: undefined, error: error instanceof Error ? error.message : String(error) };
  }
}
