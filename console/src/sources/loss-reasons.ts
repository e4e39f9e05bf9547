import type { DroppedEvents } from '@waybill/client/config';

type Reason =
  | DroppedEvents['counts'][number]['reason']
  | DroppedEvents['blocked_counts'][number]['reason']
  | DroppedEvents['adjusted_counts'][number]['reason'];

/** Total: a reason that the contract adds does not compile before it has its words here. */
export const LOSS_REASONS: Readonly<Record<Reason, string>> = {
  empty_batch: 'A batch without events',
  no_user_anon_id: 'Neither a user id nor an anonymous id',
  id_required: 'An id is missing that the call needs',
  id_not_string: 'An id that is neither text nor a number, or empty',
  event_not_defined: 'A track call without a name',
  event_not_string: 'A name that is no text',
  properties_not_object: 'Properties that are no object',
  traits_not_object: 'Traits that are no object',
  name_not_string: 'A page or screen name that is empty or no text',
  category_not_string: 'A category that is no text',
  bad_request: 'No call of a known form',
  event_too_large: 'Larger than 32 KB',
  too_many_events: 'In a batch of more than 2,500 events',
  suppressed: 'The user is suppressed',
  unplanned: 'Not in the tracking plan',
  schema_violation: 'Against its rule in the tracking plan',
  common_schema_violation: 'Against the rule for all events in the tracking plan',
  undeliverable: 'A destination of a kind that delivers nothing',
  timestamp_unreadable: 'A timestamp that is no time; the time of arrival is used',
  sent_at_unreadable: 'A sentAt that is no time; the timestamp is not corrected',
};
