import type { Sent } from './arrivals.ts';
import type { DatabasePair } from './database-pair.ts';

/** What the storage held of the lease of a router from `at` on. */
export interface Lease {
  /** The process, as its requests say. */
  readonly router: string;
  readonly at: number;
  /** When it ends; null: it has ended, and others have what the router held. */
  readonly until: number | null;
}

const NOTE = `
  CREATE TABLE public.leases_told (number bigserial, router text, at bigint, until bigint);
  CREATE FUNCTION public.note_lease() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO public.leases_told (router, at, until)
    VALUES (split_part(NEW.router, ':', -1), (extract(epoch FROM clock_timestamp()) * 1000)::bigint, NEW.until);
    RETURN NULL;
  END $$;
  CREATE TRIGGER note_lease AFTER INSERT OR UPDATE ON waybill.nodes FOR EACH ROW EXECUTE FUNCTION public.note_lease()`;

/** From now on the database writes down each change of a lease, in the transaction that makes it. */
export async function noteLeases(database: DatabasePair): Promise<void> {
  await database.rows(NOTE);
}

/** In the order in which they were changed. */
export async function notedLeases(database: DatabasePair): Promise<readonly Lease[]> {
  const rows = await database.rows<{ router: string; at: string; until: string | null }>(
    'SELECT router, at, until FROM public.leases_told ORDER BY number',
  );
  return rows.map(({ router, at, until }) => ({
    router,
    at: Number(at),
    until: until === null ? null : Number(until),
  }));
}

/** NODE-3: what a router sent after its lease, with the router. Who stops in time stops seconds before. */
export function sentAfterLease(sends: readonly Sent[], leases: readonly Lease[]): readonly Sent[] {
  const byRouter = Map.groupBy(leases, ({ router }) => router);
  return sends.filter(({ router, at }) => {
    const held = byRouter.get(router)?.findLast((lease) => lease.at <= at);
    return held !== undefined && (held.until === null || held.until < at);
  });
}
