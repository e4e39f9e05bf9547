import type { LoggedDelivery } from '../../model/logged-delivery.ts';
import type { DeliveryLog, LogPage, LogQuery } from '../../storage/delivery-log.ts';
import { pagesOf } from '../../storage/pages.ts';

/** All that a log has, newest first. A page ends early where the machine is busy, however few rows it has by then. */
export async function wholeLog(
  log: Pick<DeliveryLog, 'list'>,
  query: Pick<LogQuery, 'destination' | 'filter'>,
): Promise<readonly LoggedDelivery[]> {
  const read = ({ next }: Partial<LogPage> = {}): Promise<LogPage> =>
    log.list({ ...query, limit: 1_000, ...(next === undefined ? {} : { before: next }) });
  const pages = await Array.fromAsync(pagesOf(read, ({ next }) => next === undefined));
  return pages.flatMap(({ deliveries }) => deliveries);
}
