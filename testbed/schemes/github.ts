import { GITHUB as FORM } from '../../client/webhooks/senders/senders.ts';
import { custom } from './custom.ts';

export const GITHUB = custom({
  ...FORM,
  name: 'github',
  title: 'GitHub',
  id: [{ header: 'X-GitHub-Delivery' }],
  withoutId: 'same body',
  type: [{ header: 'X-GitHub-Event' }],
});
