import { useState } from 'react';
import { useChange } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { InputField } from '../ui/field.tsx';
import { nameFault } from './faults.ts';
import { WORDS } from './kinds.ts';
import { type Computed, type Kind, methodsOf } from './queries.ts';

interface RenameProps {
  readonly kind: Kind;
  readonly computed: Computed;
  readonly onClose: () => void;
}

/** Another name for people; what destinations are told stays. */
export function RenameDialog({ kind, computed, onClose }: RenameProps) {
  const [title, setTitle] = useState(computed.display_name);
  const rename = useChange(
    (client, name: string) => methodsOf(client, kind).update(computed.name, { display_name: name }),
    [[kind]],
    onClose,
  );
  const button = (
    <Button type="submit" look="primary" disabled={title.trim() === '' || rename.isPending}>
      Save
    </Button>
  );
  return (
    <Dialog
      title={`Rename ${WORDS[kind].one}`}
      actions={button}
      onSubmit={() => rename.mutate(title)}
      onClose={onClose}
    >
      <InputField
        label="Name"
        hint={`Destinations are told “${computed.key}” all the same.`}
        error={rename.error === null ? undefined : nameFault(rename.error)}
        required
        value={title}
        onChange={setTitle}
      />
    </Dialog>
  );
}
