import { buildClient } from '../../../scripts/build-client/build.ts';
import { type Packed, packedOnce } from './packed-once.ts';

const INPUTS = [
  '{CHANGELOG.md,client/*.{ts,json,md}}',
  'client/{analytics,config,webhooks}/**/*.ts',
  'docs/client/*.md',
  'generated/*.d.ts',
  'generated/runtime/valibot.gen.ts',
  'scripts/build-client/*.ts',
  'tsconfig.json',
];

export function packedClient(): Packed {
  return packedOnce({ name: 'client', inputs: INPUTS, build: buildClient });
}
