import { saveDraft } from '../session/save-draft.ts';
import { useChange, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Failure } from '../ui/failure.tsx';
import { ChangedByOthers, type JsonDraft, JsonField, TurnButton, useJsonDraft } from '../ui/json-draft.tsx';
import { EventEditor } from './event-editor.tsx';
import type { Plan } from './queries.ts';
import { eventsOf, type Rules, withEvent, withoutEvent } from './rules.ts';

/** The rules as a form, or as JSON; both edit the same draft, which stays until it is saved. */
export function RulesCard({ plan }: { readonly plan: Plan }) {
  const json = useJsonDraft(plan.rules);
  const { value: rules, isChanged } = json;
  const save = useSave(plan, json);
  return (
    <Card title="Rules" note="The events that are planned, with their properties." action={<TurnButton json={json} />}>
      <div className="stack">
        <ChangedByOthers json={json} />
        {json.text === undefined ? (
          <RulesForm rules={json.draft} onChange={json.setDraft} />
        ) : (
          <JsonField
            json={json}
            label="Rules as JSON"
            hint="events, global, identify and group: JSON Schemas of the event."
          />
        )}
        {save.error !== null && <Failure error={save.error} />}
        <SaveButton
          isPossible={isChanged && rules !== undefined && !save.isPending}
          onSave={() => rules !== undefined && save.mutate(rules)}
        />
      </div>
    </Card>
  );
}

function useSave({ name }: Plan, { before, begin }: JsonDraft) {
  return useChange(
    ({ trackingPlans }, rules: Rules) =>
      saveDraft(trackingPlans, {
        name,
        before,
        valueOf: (read: Plan) => read.rules,
        changes: { rules: { ...rules } },
      }),
    [['plans']],
    ({ rules }) => begin(rules),
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
