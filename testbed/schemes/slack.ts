import { SLACK as FORM } from '../../client/webhooks/senders/senders.ts';
import { custom } from './custom.ts';

export const SLACK = custom({
  ...FORM,
  name: 'slack',
  title: 'Slack',
  id: [{ field: 'event_id' }],
  withoutId: 'same body',
  type: [{ field: 'event.type' }, { field: 'type' }],
});
