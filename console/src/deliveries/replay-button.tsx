import { placeOf } from '../destinations/queries.ts';
import { useChange, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { messageOf } from '../ui/errors.ts';
import type { Story } from './queries.ts';

/** Sends what has ended again, to the webhooks that the destination has now. */
export function ReplayButton({ story }: { readonly story: Story }) {
  const { canWrite } = useWorkspace();
  const { source, destination } = placeOf(story.name);
  const replay = useChange(
    (client) => client.deliveries.replay(story.name),
    [['sources', source, 'destinations', destination, 'deliveries']],
  );
  if (!canWrite) return null;
  const isOpen = story.state === 'pending' || story.state === 'trying';
  return (
    <>
      {replay.error !== null && (
        <span className="wrong" role="alert">
          {messageOf(replay.error)}
        </span>
      )}
      <Button
        look={story.state === 'failed' || story.state === 'expired' ? 'primary' : undefined}
        icon="replay"
        disabled={isOpen || replay.isPending}
        title={isOpen ? 'It has not ended yet' : undefined}
        onClick={() => replay.mutate()}
      >
        Replay
      </Button>
    </>
  );
}
