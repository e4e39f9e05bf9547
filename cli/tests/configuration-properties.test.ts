import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { startConfigApi, TOKEN } from '../../server/tests/support/config-api.ts';
import { withoutReferences } from '../configuration/references.ts';
import { type CommandLine, connectedTo, type Ended } from './support/command-line.ts';
import { workspaces } from './support/configurations.ts';

/** Of a router of its own that holds nothing but the workspace `main`. */
async function freshRouter(): Promise<(stdin: string) => CommandLine> {
  const { url } = await startConfigApi();
  return (stdin) => connectedTo(url, TOKEN, { stdin });
}

function body({ status, stdout, stderr }: Ended): string {
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  // The first line names the router.
  return stdout.slice(stdout.indexOf('\n') + 1);
}

test('an exported configuration applies to an empty workspace, and its export is the same', async () => {
  const property = fc.asyncProperty(workspaces, async (workspace) => {
    const file = stringify({ version: 1, workspaces: { main: withoutReferences(workspace) } });
    const one = await freshRouter();
    const applied = await one(file)('apply', '-f', '-', '--yes');
    expect(applied.status, applied.stderr).toBe(0);
    expect(await one(file)('diff', '-f', '-')).toEqual({ status: 0, stdout: '', stderr: 'no difference\n' });

    const exported = body(await one('')('export', '--show-secrets'));
    const other = await freshRouter();
    const again = await other(exported)('apply', '-f', '-', '--yes');
    expect(again.status, again.stderr).toBe(0);
    expect(body(await other('')('export', '--show-secrets'))).toBe(exported);
    expect(await other(exported)('apply', '-f', '-', '--yes')).toMatchObject({ status: 0, stderr: 'no difference\n' });
  });
  await fc.assert(property, { numRuns: 12 });
});
