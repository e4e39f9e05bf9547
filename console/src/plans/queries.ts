import type { Resource } from '@waybill/client/config';
import { useRead } from '../session/workspace.tsx';

export type Plan = Resource<'trackingPlans'>;

export function usePlans() {
  return useRead(['plans'], (client, signal, workspace) =>
    Array.fromAsync(client.trackingPlans.list(workspace, { signal, pageSize: 1_000 })),
  );
}

export function usePlan(id: string) {
  return useRead(['plans', id], (client, signal, workspace) =>
    client.trackingPlans.get(`${workspace}/tracking-plans/${id}`, { signal }),
  );
}

export function useConnections({ name }: Pick<Plan, 'name'>) {
  return useRead(['plans', name, 'connections'], (client, signal) =>
    Array.fromAsync(client.sourceConnections.list(name, { signal, pageSize: 1_000 })),
  );
}
