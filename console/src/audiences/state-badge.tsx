import type { Sync } from '@waybill/client/config';
import { wordsOf } from '../ui/names.ts';
import { Badge, type Tone } from '../ui/notice.tsx';
import type { Computed } from './queries.ts';

const TONES: Readonly<Record<Computed['state'] | Sync['state'], Tone>> = {
  PREPARING: 'idle',
  COMPUTING: 'busy',
  LIVE: 'ok',
  DISABLED: 'idle',
  FAILED: 'bad',
  RUNNING: 'busy',
  DONE: 'ok',
  CANCELLED: 'idle',
};

export function StateBadge({ state }: { readonly state: Computed['state'] | Sync['state'] }) {
  return <Badge tone={TONES[state]}>{wordsOf(state.toLowerCase())}</Badge>;
}
