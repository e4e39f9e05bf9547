import { type Packed, packedOnce } from '../../../client/tests/support/packed-once.ts';
import { buildTestbed } from '../../../scripts/build-testbed/build.ts';

/** More than it is made of: which files of the router and the client come along follows from what is imported. */
const INPUTS = [
  '{testbed,server,client}/*.{ts,json}',
  '{testbed,server,client}/!(tests|node_modules|dist)/**/*.ts',
  'console/receiver/dist/**/*.*',
  'docs/{testbed,receiver,certify}.md',
  'docs/results/testbed.md',
  'generated/**/*.{ts,json}',
  'scripts/{build-testbed,build-client}/*.ts',
  'scripts/peers/oldest/package.json',
  '{package,tsconfig}.json',
  '{CHANGELOG.md,LICENSE}',
];

/** The testbed as its users get it. */
export function packedTestbed(): Packed {
  return packedOnce({ name: 'testbed', inputs: INPUTS, build: buildTestbed });
}
