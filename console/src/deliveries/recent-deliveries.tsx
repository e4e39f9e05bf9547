import type { Place } from '../destinations/queries.ts';
import { useWorkspace } from '../session/workspace.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { useDeliveryPage } from './queries.ts';

const RECENT = { filter: {}, token: '', size: 8 };

export function RecentDeliveries({ place }: { readonly place: Place }) {
  const { slug: workspace } = useWorkspace();
  const deliveries = useDeliveryPage(place, RECENT);
  const all = (
    <ButtonLink to="/workspaces/$workspace/deliveries" params={{ workspace }} search={place} size="small">
      All deliveries
    </ButtonLink>
  );
  return (
    <Card title="Last deliveries" action={all} flush>
      <Loaded query={deliveries}>
        {({ deliveries: items }) =>
          items.length === 0 ? (
            <Empty icon="deliveries" title="Nothing delivered yet">
              Once the source sends an event, what becomes of it stands here.
            </Empty>
          ) : (
            <DeliveryTable deliveries={items} />
          )
        }
      </Loaded>
    </Card>
  );
}
