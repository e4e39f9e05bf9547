import type { Mutant } from '../mutant.ts';
import { AUD } from './aud.ts';
import { AUD_SYNCS } from './aud-syncs.ts';
import { AUD_TIMES } from './aud-times.ts';
import { BACKUP_AND_AUDIT } from './backup-and-audit.ts';
import { CFG_ANSWERS } from './cfg-answers.ts';
import { CFG_LIMITED_TOKENS } from './cfg-limited-tokens.ts';
import { CFG_RESOURCES } from './cfg-resources.ts';
import { ERASURES } from './erasures.ts';
import { FAIRNESS } from './fairness.ts';
import { HOOK_DESTINATIONS } from './hook-destinations.ts';
import { HOOK_NOTICES } from './hook-notices.ts';
import { HOOK_SIGNATURES } from './hook-signatures.ts';
import { HOOK_TIMES } from './hook-times.ts';
import { HOOK } from './hook.ts';
import { ING } from './ing.ts';
import { ING_QUOTAS } from './ing-quotas.ts';
import { LIB } from './lib.ts';
import { LIB_DISKS } from './lib-disks.ts';
import { LIB_PAGES } from './lib-pages.ts';
import { NODE } from './node.ts';
import { NODE_SERVERS } from './node-servers.ts';
import { SAFE } from './safe.ts';
import { PROFILE_LOCKS } from './profile-locks.ts';
import { SAFE_GROWTH } from './safe-growth.ts';
import { SAFE_SECRETS } from './safe-secrets.ts';
import { SHAPES } from './shapes.ts';

/** In the order of docs/rules.md. */
export const MUTANTS: readonly Mutant[] = [
  ...CFG_RESOURCES,
  ...CFG_ANSWERS,
  ...CFG_LIMITED_TOKENS,
  ...HOOK,
  ...HOOK_TIMES,
  ...HOOK_DESTINATIONS,
  ...HOOK_NOTICES,
  ...HOOK_SIGNATURES,
  ...ING,
  ...ING_QUOTAS,
  ...LIB,
  ...LIB_DISKS,
  ...LIB_PAGES,
  ...AUD,
  ...NODE_SERVERS,
  ...NODE,
  ...BACKUP_AND_AUDIT,
  ...AUD_SYNCS,
  ...AUD_TIMES,
  ...ERASURES,
  ...SAFE,
  ...SAFE_SECRETS,
  ...SAFE_GROWTH,
  ...PROFILE_LOCKS,
  ...FAIRNESS,
  ...SHAPES,
];
