import { useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import type { Fields } from '../ui/json-fields.ts';
import { sentence } from '../ui/names.ts';
import { ConditionEditor } from './condition-editor.tsx';
import { groupAs, groupOf, GROUPS, newCondition, type Part, partsOf, withParts } from './drafts.ts';
import { type Fault, isIn } from './faults.ts';

interface GroupProps extends Part {
  /** Empty for the definition itself. */
  readonly number: string;
  readonly fault: Fault | undefined;
  readonly onChange: (draft: Fields) => void;
  readonly onRemove?: () => void;
}

/** Conditions of which all, any or none have to hold; groups may hold groups. */
export function GroupEditor(props: GroupProps) {
  const { draft, place, number, fault, onChange } = props;
  const parts = partsOf({ draft, place });
  const change = (next: readonly Fields[]): void => onChange(withParts(draft, next));
  const drafts = parts.map((part) => part.draft);
  const isOwnFault = isIn(fault, place) && !parts.some((part) => isIn(fault, part.place));
  return (
    <div className={`group stack-tight ${number === '' ? '' : 'nested'}`} role="group" aria-label={nameOf(number)}>
      <GroupHead {...props} />
      {parts.map((part, index) => {
        const own = {
          ...part,
          number: number === '' ? `${index + 1}` : `${number}.${index + 1}`,
          fault,
          onChange: (changed: Fields) => change(drafts.with(index, changed)),
          onRemove: () => change(drafts.toSpliced(index, 1)),
        };
        // The place in the list is what a condition is known by while it is edited.
        return groupOf(part.draft) === undefined ? (
          <ConditionEditor key={index} {...own} />
        ) : (
          <GroupEditor key={index} {...own} />
        );
      })}
      {isOwnFault && (
        <p className="wrong" role="alert">
          {sentence(fault.text)}
        </p>
      )}
      <GroupFoot number={number} onAdd={(added) => change([...drafts, added])} />
    </div>
  );
}

function GroupHead({ draft, place, number, onChange, onRemove }: GroupProps) {
  const { canWrite } = useWorkspace();
  const drafts = partsOf({ draft, place }).map((part) => part.draft);
  return (
    <div className="row-between whole">
      <select
        className="select narrow strong"
        aria-label={number === '' ? 'Members are users for whom' : `Kind of group ${number}`}
        disabled={!canWrite}
        value={groupOf(draft) ?? 'all'}
        onChange={(event) => {
          const found = GROUPS.find(({ id }) => id === event.currentTarget.value);
          if (found !== undefined) onChange(groupAs(found.id, drafts));
        }}
      >
        {GROUPS.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
      {canWrite && onRemove !== undefined && (
        <Button size="small" look="quiet" icon="trash" aria-label={`Remove group ${number}`} onClick={onRemove} />
      )}
    </div>
  );
}

interface FootProps {
  readonly number: string;
  readonly onAdd: (draft: Fields) => void;
}

function GroupFoot({ number, onAdd }: FootProps) {
  const { canWrite } = useWorkspace();
  if (!canWrite) return null;
  const to = number === '' ? '' : ` to group ${number}`;
  return (
    <div className="row">
      <Button
        size="small"
        icon="plus"
        aria-label={`Add a condition${to}`}
        onClick={() => onAdd(newCondition('events'))}
      >
        Add a condition
      </Button>
      <Button
        size="small"
        look="quiet"
        icon="plus"
        aria-label={`Add a group${to}`}
        onClick={() => onAdd(groupAs('any', [newCondition('trait')]))}
      >
        Add a group
      </Button>
    </div>
  );
}

function nameOf(number: string): string {
  return number === '' ? 'Definition' : `Group ${number}`;
}
