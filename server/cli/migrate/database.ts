import type { Place } from '../../storage/place.ts';
import type { PostgresMigration } from '../../storage/postgres/migrations/migrations.ts';
import { migratePlace, planMigration } from '../../storage/postgres/open-migrated.ts';
import type { Migrating, Told } from '../migrate.ts';

export function databaseMigration({ url, shown }: Place): Migrating {
  return {
    plan: async () => told(shown, true, await planMigration(url)),
    carryOut: async () => told(shown, false, await migratePlace(url)),
  };
}

function told(database: string, dryRun: boolean, steps: readonly PostgresMigration[]): Told {
  return {
    changes: steps.length,
    object: { database, dry_run: dryRun, steps: steps.map(({ version: to, what }) => ({ to, what })) },
    lines:
      steps.length === 0
        ? [`${database} has today's format already`]
        : steps.map(({ version, what }) => `${database}: to format ${version}: ${what}`),
  };
}
