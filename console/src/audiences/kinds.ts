import type { Fields } from '../ui/json-fields.ts';
import { newCondition } from './drafts.ts';
import type { Kind } from './queries.ts';

interface Words {
  readonly title: string;
  readonly one: string;
  readonly lead: string;
  readonly empty: string;
  readonly emptyTitle: string;
  /** What its size counts. */
  readonly size: string;
  readonly icon: 'audiences' | 'traits';
  readonly placeholder: string;
  /** What a new one begins with. */
  readonly draft: Fields;
}

/** What people read of audiences and of computed traits. */
export const WORDS: Readonly<Record<Kind, Words>> = {
  audiences: {
    title: 'Audiences',
    one: 'audience',
    lead: 'Groups of users, by what they did and are. Webhooks are told who enters, and who leaves.',
    emptyTitle: 'No audiences yet',
    empty: 'Describe a group of users, such as those who spent 100 or more in 30 days, and choose who is told of it.',
    size: 'Members',
    icon: 'audiences',
    placeholder: 'Big spenders',
    draft: newCondition('events'),
  },
  'computed-traits': {
    title: 'Computed traits',
    one: 'computed trait',
    lead: 'A value of each user, made of what they did. Webhooks are told each time it changes.',
    emptyTitle: 'No computed traits yet',
    empty: 'Choose what is made of the events of a user, such as the sum of all orders, and who is told of it.',
    size: 'Users with a value',
    icon: 'traits',
    placeholder: 'Total spent',
    draft: { sum: { where: 'event = "Order Completed"', of: 'properties.total' } },
  },
};
