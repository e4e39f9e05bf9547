import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { placeOf } from '../destinations/queries.ts';
import { saveDraft } from '../session/save-draft.ts';
import { useChange, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { DestinationsField } from './destinations-field.tsx';
import { type Computed, type Kind, methodsOf } from './queries.ts';

interface ToldProps {
  readonly kind: Kind;
  readonly computed: Computed;
}

/** The destinations that are told, and as what. */
export function ToldCard({ kind, computed }: ToldProps) {
  const { slug: workspace, canWrite } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const { destinations, key } = computed;
  const change = canWrite && (
    <Button size="small" onClick={() => setOpen(true)}>
      Choose
    </Button>
  );
  return (
    <Card title="Destinations told" note={<ToldAs kind={kind} trait={key} />} action={change}>
      {destinations.length === 0 && <p className="muted">Nobody is told yet: choose a destination.</p>}
      <ul className="keys stack-tight">
        {destinations.map((name) => (
          <li key={name} className="wrap">
            <Link
              to="/workspaces/$workspace/sources/$source/destinations/$destination"
              params={{ workspace, ...placeOf(name) }}
            >
              {placeOf(name).source} / {placeOf(name).destination}
            </Link>
          </li>
        ))}
      </ul>
      {isOpen && <Choose kind={kind} computed={computed} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function ToldAs({ kind, trait }: { readonly kind: Kind; readonly trait: string }) {
  return (
    <>
      An identify call for each user who changed, with the trait <code className="wrap">{trait}</code>
      {kind === 'audiences' ? ': true for members, later false.' : '.'}
    </>
  );
}

function Choose({ kind, computed, onClose }: ToldProps & { readonly onClose: () => void }) {
  const [before] = useState(computed.destinations);
  const [chosen, setChosen] = useState<readonly string[]>(before);
  const save = useChange(
    (client, destinations: readonly string[]) =>
      saveDraft(methodsOf(client, kind), {
        name: computed.name,
        before,
        valueOf: (read) => read.destinations,
        changes: { destinations: [...destinations] },
      }),
    [[kind]],
    onClose,
  );
  const button = (
    <Button type="submit" look="primary" disabled={save.isPending}>
      Save
    </Button>
  );
  return (
    <Dialog title="Destinations told" actions={button} onSubmit={() => save.mutate(chosen)} onClose={onClose}>
      <div className="stack">
        <p className="muted">One that is added is told of every user by the next sync.</p>
        <DestinationsField chosen={chosen} onChange={setChosen} />
        {save.error !== null && <Failure error={save.error} />}
      </div>
    </Dialog>
  );
}
