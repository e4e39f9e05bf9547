import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../generate/root.ts';
import { provePage } from '../prove/table.ts';
import { audiencesPage } from './audiences-page.ts';
import { benchPage } from './bench-page.ts';
import { crashPage } from './crash-page.ts';
import { faultsPage } from './faults-page.ts';
import { firstStepsPage } from './first-steps-page.ts';
import { hostilePage } from './hostile-page.ts';
import { importSegmentPage } from './import-segment-page.ts';
import { mutationPage } from './mutation-page.ts';
import { peersPage } from './peers-page.ts';
import { rollingUpdatePage } from './rolling-update-page.ts';
import { resultNames } from './result.ts';
import { schemesPage } from './schemes-page.ts';
import { sizingPage } from './sizing.ts';
import { soakPage } from './soak-page.ts';
import { strangersPage } from './strangers-page.ts';
import { testsPage } from './tests-page.ts';

/** Every page of docs/results/, made of the figures beside it. */
export const PAGES: Readonly<Record<string, () => string>> = {
  'docs/results/audiences.md': audiencesPage,
  'docs/results/benches.md': benchPage,
  'docs/results/crash.md': crashPage,
  'docs/results/faults.md': faultsPage,
  'docs/results/first-steps.md': firstStepsPage,
  'docs/results/hostile.md': hostilePage,
  'docs/results/import-segment.md': importSegmentPage,
  'docs/results/mutation.md': mutationPage,
  'docs/results/peers.md': peersPage,
  'docs/results/prove.md': provePage,
  'docs/results/rolling-update.md': rollingUpdatePage,
  'docs/results/schemes.md': schemesPage,
  ...(resultNames().includes('soak') ? { 'docs/results/soak.md': soakPage } : {}),
  'docs/results/strangers.md': strangersPage,
  'docs/results/tests.md': testsPage,
};

/** Pages that people write, with a part made of figures. */
const WITH_PARTS: Readonly<Record<string, () => string>> = {
  'docs/postgresql.md': sizingPage,
};

export function writePages(): void {
  for (const [page, text] of Object.entries({ ...PAGES, ...WITH_PARTS })) writeFileSync(join(ROOT, page), text());
}

/** The pages that are not what the figures say. */
export function stalePages(pages = { ...PAGES, ...WITH_PARTS }): readonly string[] {
  return Object.entries(pages)
    .filter(([page, text]) => !existsSync(join(ROOT, page)) || readFileSync(join(ROOT, page), 'utf8') !== text())
    .map(([page]) => page);
}
