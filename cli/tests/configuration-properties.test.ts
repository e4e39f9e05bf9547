import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { startConfigApi, TOKEN } from '../../server/tests/support/config-api.ts';
import { withoutReferences } from '../configuration/references.ts';
import { type Api, createApi } from '../configuration/api.ts';
import { inStages } from '../configuration/apply.ts';
import { differences, type Step } from '../configuration/differences.ts';
import { keysInTurn } from '../configuration/key-moves.ts';
import { readWorkspace } from '../configuration/live.ts';
import type { SourceNode, WorkspaceNode } from '../configuration/model.ts';
import { sendTo } from '../connection.ts';
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

const FILTERS = ['first', 'second'].map((title) => ({ name: undefined, fields: { title } }));
/** Sources with a destination each, which has two filters, as a file describes them. */
function manySources(count: number, { filters }: { readonly filters: boolean }): WorkspaceNode {
  const destination = { fields: {}, filters: filters ? FILTERS : undefined };
  const destinations: SourceNode['destinations'] = new Map([['webhooks', destination]]);
  const sources = Array.from(
    { length: count },
    (_, index) => [`s${index}`, { fields: {}, schemaConfig: {}, destinations }] as const,
  );
  const computed = { audiences: [], computedTraits: [] };
  return { fields: {}, quota: {}, sources: new Map(sources), plans: [], computed };
}

test('what is of different resources is changed at once, and what is of one in its order', async () => {
  const steps = differences('main', manySources(50, { filters: true }), undefined);
  const [underWay, most, taken]: [Set<Step>, number[], string[]] = [new Set(), [], []];
  await inStages(steps, async (step) => {
    // Below sources nothing is made before all of them are.
    expect(new Set([...underWay, step].map(({ kind }) => kind === 'sources')).size).toBe(1);
    underWay.add(step);
    await new Promise(setImmediate);
    most.push(underWay.size);
    underWay.delete(step);
    taken.push(step.label);
  });
  expect(Math.max(...most)).toBe(32);
  const own = taken.filter((label) => /^main.s7(?:$|\/)/.test(label));
  const below = ['', '/webhooks', '/webhooks/filter "first"', '/webhooks/filter "second"'];
  expect(own).toEqual(below.map((label) => `main/s7${label}`));
});

test('once a change fails no other is begun', async () => {
  const steps = differences('main', manySources(50, { filters: true }), undefined);
  const taken: string[] = [];
  const ended = inStages(steps, async ({ label }) => {
    taken.push(label);
    await new Promise(setImmediate);
    if (label === 'main/s3') throw new Error('refused');
  });
  await expect(ended).rejects.toThrow('refused');
  expect(taken.length).toBeLessThan(1 + 2 * 32);
});

test.each([
  { filters: false, expected: ['sources', 'destinations'] },
  { filters: true, expected: ['sources', 'destinations', 'filters'] },
])('of a router only what the file says something of is read: filters $filters', async ({ filters, expected }) => {
  const api = await startConfigApi();
  await connectedTo(api.url, TOKEN)('sources', 'create', 'web');
  await connectedTo(api.url, TOKEN)('destinations', 'create', 'web/webhooks');
  await api.ok('POST', '/workspaces/main/sources', { source: { name: 'workspaces/main/sources/other' } });
  const wanted = manySources(1, { filters });
  const [node] = wanted.sources.values();
  const real = createApi(sendTo({ url: api.url, token: TOKEN, workspace: 'main' }));
  const asked: string[] = [];
  const noting: Api = {
    ...real,
    list: (kind, parent) => {
      asked.push(kind);
      return real.list(kind, parent);
    },
    schemaConfig: (source) => {
      asked.push('schema settings');
      return real.schemaConfig(source);
    },
  };
  const live = await readWorkspace(noting, 'main', { ...wanted, sources: new Map(node && [['web', node]]) });
  expect(asked.filter((kind) => /sources|destinations|filters|settings/.test(kind))).toEqual(expected);
  expect([...(live?.sources.keys() ?? [])]).toEqual(['web', 'other']);
});

function givenKeys(slug: string, before: string, after: string): Step {
  const place = { label: `main/${slug}`, name: `workspaces/main/sources/${slug}` };
  return {
    action: 'update',
    kind: 'sources',
    ...place,
    fields: { write_keys: [after] },
    before: { write_keys: [before] },
  };
}

test('a write key that moves waits for no other source of the file', async () => {
  const others = Array.from({ length: 100 }, (_, index) => givenKeys(`s${index}`, `s${index}`, `t${index}`));
  const steps = keysInTurn([...others, givenKeys('to', 'k2', 'k1'), givenKeys('from', 'k1', 'k3')]);
  const taken: string[] = [];
  await inStages(steps, async ({ label }) => {
    taken.push(label);
    await Promise.resolve();
  });
  expect(taken).toHaveLength(102);
  expect(taken.slice(0, 2)).toEqual(['main/from', 'main/to']);
});
