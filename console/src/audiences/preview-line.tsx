import { Link } from '@tanstack/react-router';
import type { AudiencePreview } from '@waybill/client/config';
import { useWorkspace } from '../session/workspace.tsx';
import { Failure } from '../ui/failure.tsx';
import { countText } from '../ui/numbers.ts';
import { Time } from '../ui/time.tsx';
import { faultOf } from './faults.ts';
import type { usePreview } from './queries.ts';

/** How many users a definition would have now, while it is edited. */
export function PreviewLine({ preview }: { readonly preview: ReturnType<typeof usePreview> }) {
  const { data, error, isPlaceholderData } = preview;
  if (error !== null) {
    if (faultOf(error) === undefined) return <Failure error={error} />;
    return <p className="preview muted">The size is shown once the definition is complete.</p>;
  }
  if (data === undefined) return <p className="preview muted">Counting …</p>;
  return (
    <div className="preview" role="status" aria-label="Preview" aria-busy={isPlaceholderData}>
      <p>
        <strong className="number">{countText(data.size)}</strong>{' '}
        {data.size === 1 ? 'user matches now' : 'users match now'}
        <span className="muted">, of {countText(data.evaluated)} with a profile.</span>
      </p>
      <Sample users={data.sample} hasMore={data.size > data.sample.length} />
      <Since preview={data} />
    </div>
  );
}

function Sample({ users, hasMore }: { readonly users: readonly string[]; readonly hasMore: boolean }) {
  const { slug: workspace } = useWorkspace();
  if (users.length === 0) return null;
  return (
    <p className="row">
      {users.map((user) => (
        <Link key={user} to="/workspaces/$workspace/profile" params={{ workspace }} search={{ user }} className="mono">
          {user}
        </Link>
      ))}
      {hasMore && <span className="muted">and more</span>}
    </p>
  );
}

function Since({ preview: { history_from: from, evaluated } }: { readonly preview: AudiencePreview }) {
  if (evaluated === 0)
    return <p className="muted small">Profiles are made from the first audience or computed trait on.</p>;
  return (
    <p className="muted small">
      Events are counted since <Time value={from} />; what came before is not.
    </p>
  );
}
