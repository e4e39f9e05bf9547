import { test } from 'vitest';
import { type Verbs } from '../../storage/verbs.ts';
import { writes } from '../../storage/postgres/connection/statement.ts';
import { ACCEPTANCE_FACTS } from './delivery-store-acceptance.ts';
import { CLAIM_FACTS } from './delivery-store-claims.ts';
import { VERDICT_FACTS } from './delivery-store-verdicts.ts';
import { MEMBER_FACTS } from './member-facts.ts';
import { NEWS_FACTS } from './news-facts.ts';
import { checkFact, type StoreUnderTest } from './delivery-store.ts';
import { NOW } from './delivery-store-events.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';
import { postgresNodes } from '../support/postgres-nodes.ts';

const SET = writes(
  'set',
  "INSERT INTO config_versions VALUES ('workspaces/main', $1) ON CONFLICT (workspace) DO UPDATE SET version = $1",
);

async function place(): Promise<StoreUnderTest> {
  const nodes = await postgresNodes(NOW);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the facts of this file ask no other verbs
  const open = async (name: string): Promise<Verbs> => (await nodes.open(name)).verbs as Verbs;
  const joined = async (name: string): Promise<Verbs> => {
    const store = await open(name);
    await store.join({ now: NOW });
    return store;
  };
  return {
    store: await joined('one'),
    reopen: () => open('one'),
    other: () => joined('other'),
    advance: (ms) => nodes.advance(ms),
    setVersion: async (next) => void (await nodes.database.run(SET, [next])),
    end: async () => nodes[Symbol.asyncDispose](),
  };
}

describeWithPostgres('deliveries', () => {
  const facts = [...ACCEPTANCE_FACTS, ...CLAIM_FACTS, ...VERDICT_FACTS, ...MEMBER_FACTS, ...NEWS_FACTS].filter(
    ({ title }) => !title.endsWith('not even the log'),
  );
  for (const fact of facts) test(`postgres: ${fact.title}`, () => checkFact(fact, place));
});
