import { type FormEvent, useState } from 'react';
import { Button } from '../../src/ui/button.tsx';
import { Field } from '../../src/ui/field.tsx';
import type { Control, Endpoint } from './control.ts';

interface ScriptFormProps {
  readonly control: Control;
  readonly endpoint: Endpoint;
}

/** Plays another script; what cannot be played is refused by the receiver, in its words. */
export function ScriptForm({ control, endpoint: { path, script } }: ScriptFormProps) {
  const [draft, setDraft] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const play = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    try {
      await control.play(draft ?? script, path);
      setDraft(undefined);
      setFailure(undefined);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form onSubmit={(event) => void play(event)}>
      <Field label={path === undefined ? 'Script' : `Script of ${path}`} error={failure}>
        {(described) => (
          <span className="row tight">
            <input
              {...described}
              className="input mono"
              autoComplete="off"
              spellCheck={false}
              value={draft ?? script}
              onChange={(event) => setDraft(event.currentTarget.value)}
            />
            <Button type="submit">{draft === undefined ? 'Restart' : 'Play'}</Button>
          </span>
        )}
      </Field>
    </form>
  );
}
