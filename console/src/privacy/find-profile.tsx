import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Field } from '../ui/field.tsx';

/** Leads to all that is known of one user. */
export function FindProfile() {
  const { slug: workspace } = useWorkspace();
  const navigate = useNavigate();
  const [user, setUser] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void navigate({ to: '/workspaces/$workspace/profile', params: { workspace }, search: { user } });
  };
  return (
    <Card title="One user" note="What is known of a user, for who asks what you store of them.">
      <form onSubmit={submit}>
        <Field label="User id" hint="Any of the ids of the user.">
          {(described) => (
            <div className="row tight">
              <input
                {...described}
                type="search"
                className="input grow"
                placeholder="ada"
                value={user}
                onChange={(event) => setUser(event.currentTarget.value)}
              />
              <Button type="submit" disabled={user === ''}>
                Show profile
              </Button>
            </div>
          )}
        </Field>
      </form>
    </Card>
  );
}
