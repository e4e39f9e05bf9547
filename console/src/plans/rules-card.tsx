import { useState } from 'react';
import { useChange, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Failure } from '../ui/failure.tsx';
import { Field } from '../ui/field.tsx';
import { EventEditor } from './event-editor.tsx';
import type { Plan } from './queries.ts';
import { eventsOf, type Rules, withEvent, withoutEvent } from './rules.ts';

/** The rules as a form, or as JSON; both edit the same draft, which stays until it is saved. */
export function RulesCard({ plan }: { readonly plan: Plan }) {
  const [draft, setDraft] = useState<Rules>(plan.rules);
  const [text, setText] = useState<string>();
  const read = text === undefined ? { rules: draft } : readRules(text);
  const save = useSave(plan, (rules) => {
    setDraft(rules);
    if (text !== undefined) setText(format(rules));
  });
  const switchView = (): void => {
    setText(text === undefined ? format(draft) : undefined);
    if (read.rules !== undefined) setDraft(read.rules);
  };
  const isChanged = read.rules !== undefined && JSON.stringify(read.rules) !== JSON.stringify(plan.rules);
  const action = (
    <Button size="small" disabled={read.rules === undefined} onClick={switchView}>
      {text === undefined ? 'Edit as JSON' : 'Edit as a form'}
    </Button>
  );
  return (
    <Card title="Rules" note="The events that are planned, with their properties." action={action}>
      <div className="stack">
        {text === undefined ? (
          <RulesForm rules={draft} onChange={setDraft} />
        ) : (
          <JsonField text={text} error={read.error} onChange={setText} />
        )}
        {save.error !== null && <Failure error={save.error} />}
        <SaveButton
          isPossible={isChanged && !save.isPending}
          onSave={() => read.rules !== undefined && save.mutate(read.rules)}
        />
      </div>
    </Card>
  );
}

function useSave({ name }: Plan, done: (rules: Rules) => void) {
  return useChange(
    (client, rules: Rules) => client.trackingPlans.update(name, { rules: { ...rules } }),
    [['plans']],
    ({ rules }) => done(rules),
  );
}

interface SaveProps {
  readonly isPossible: boolean;
  readonly onSave: () => void;
}

function SaveButton({ isPossible, onSave }: SaveProps) {
  const { canWrite } = useWorkspace();
  if (!canWrite) return null;
  return (
    <div>
      <Button look="primary" disabled={!isPossible} onClick={onSave}>
        Save rules
      </Button>
    </div>
  );
}

interface FormProps {
  readonly rules: Rules;
  readonly onChange: (rules: Rules) => void;
}

function RulesForm({ rules, onChange }: FormProps) {
  const { canWrite } = useWorkspace();
  const events = eventsOf(rules);
  return (
    <>
      {events.length === 0 && <p className="muted">No event is planned yet.</p>}
      {events.map((event, index) => (
        <EventEditor
          // The place in the list is what an event is known by while it is edited.
          key={index}
          number={index + 1}
          event={event}
          onChange={(changed) =>
            onChange(changed === undefined ? withoutEvent(rules, index) : withEvent(rules, index, changed))
          }
        />
      ))}
      {canWrite && (
        <div>
          <Button
            size="small"
            icon="plus"
            onClick={() => onChange(withEvent(rules, events.length, { name: '', properties: [] }))}
          >
            Add an event
          </Button>
        </div>
      )}
    </>
  );
}

interface JsonProps {
  readonly text: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
}

function JsonField({ text, error, onChange }: JsonProps) {
  return (
    <Field label="Rules as JSON" hint="events, global, identify and group: JSON Schemas of the event." error={error}>
      {(described) => (
        <textarea
          {...described}
          className="input mono small"
          rows={22}
          spellCheck={false}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

function format(rules: Rules): string {
  return JSON.stringify(rules, undefined, 2);
}

function readRules(text: string): { readonly rules?: Rules; readonly error?: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { rules: Object(value) };
    return { error: 'The rules are a JSON object.' };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
