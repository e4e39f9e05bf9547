import { type Packed, packedOnce } from '../../../client/tests/support/packed-once.ts';
import { buildWaybill } from '../../../scripts/build-waybill/build.ts';

const INPUTS = [
  '{cli,server,client}/*.{ts,json}',
  '{cli,server,client}/!(tests|node_modules|dist)/**/*.{ts,json}',
  'console/dist/**/*.*',
  'docs/*.md',
  'generated/**/*.{ts,json,html,js}',
  'scripts/{build-waybill,build-client}/*.ts',
  '{package,tsconfig}.json',
  '{CHANGELOG.md,LICENSE}',
];

/** The package `waybill` as its users get it. */
export function packedWaybill(): Packed {
  return packedOnce({ name: 'waybill', inputs: INPUTS, build: buildWaybill });
}
