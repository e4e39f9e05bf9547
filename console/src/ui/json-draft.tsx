import { useState } from 'react';
import { Button } from './button.tsx';
import { Told } from './errors.ts';
import { Field } from './field.tsx';
import type { Fields } from './json-fields.ts';
import { Notice } from './notice.tsx';

/** An object that is edited as a form, or as JSON; both edit the same draft. */
export interface JsonDraft {
  /** Undefined while the text is no JSON object. */
  readonly value: Fields | undefined;
  /** What the form shows. */
  readonly draft: Fields;
  /** What it was begun from, and whether it differs from that by now. */
  readonly before: Fields;
  readonly isChanged: boolean;
  /** Whether what is stored is another by now than what it was begun from. */
  readonly isOutdated: boolean;
  /** Undefined while the form is shown. */
  readonly text: string | undefined;
  readonly error: string | undefined;
  readonly setText: (text: string) => void;
  readonly setDraft: (draft: Fields) => void;
  /** Begins anew, from what is stored where nothing is given. */
  readonly begin: (stored?: Fields) => void;
  /** Shows the other of the two. */
  readonly turn: () => void;
}

/** Of what is stored: who has not changed it sees what others make of it. */
export function useJsonDraft(stored: Fields): JsonDraft {
  const [before, setBefore] = useState(stored);
  const [draft, setDraft] = useState(stored);
  const [text, setText] = useState<string>();
  const { value, error } = text === undefined ? { value: draft } : readObject(text);
  const replace = (next: Fields): void => {
    setDraft(next);
    if (text !== undefined) setText(format(next));
  };
  const begin = (next = stored): void => {
    setBefore(next);
    replace(next);
  };
  const isChanged = !isSame(value, before);
  const isOutdated = !isSame(stored, before);
  if (isOutdated && (!isChanged || isSame(value, stored))) begin();
  return {
    value,
    draft,
    before,
    isChanged,
    isOutdated,
    text,
    error,
    setText,
    setDraft: replace,
    begin,
    turn() {
      if (value !== undefined) setDraft(value);
      setText(text === undefined ? format(draft) : undefined);
    },
  };
}

/** While a draft is of something that is no longer stored: it cannot be saved. */
export function ChangedByOthers({ json: { isOutdated, begin } }: { readonly json: JsonDraft }) {
  if (!isOutdated) return null;
  return (
    <Notice tone="warn">
      <p>Somebody else has changed this since you began: what is below is your draft, and cannot be saved.</p>
      <Button size="small" onClick={() => begin()}>
        Discard the draft
      </Button>
    </Notice>
  );
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

/** What a person wrote as an example. */
export function readEvent(text: string): Fields {
  const { value, error = '' } = readObject(text);
  if (value === undefined) throw new Told('The event cannot be read', error);
  return value;
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
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
