import { escaped } from '../report/markup.ts';
import { STYLE } from './certificate-style.ts';
import type { Result } from './certify.ts';
import { sentence } from './scenario.ts';
import type { SignedStatement } from './statement.ts';
import { type Finding, findingOf, tally } from './verdicts.ts';

const FOUND: Readonly<Record<Finding, { readonly title: string; readonly verdict: string; readonly seal: string }>> = {
  passed: { title: 'Passed', verdict: 'This receiver keeps the contract', seal: '✓' },
  failed: { title: 'Failed', verdict: 'This receiver does not keep the contract', seal: '✗' },
  'not-judged': {
    title: 'Not judged',
    verdict: 'This receiver was not judged: it did not accept the first event',
    seal: '–',
  },
};

/** The certificate as a page for people: what is not well first, then all by what it is about. */
export function certificatePage(results: readonly Result[], { statement, signature }: SignedStatement): string {
  const finding = findingOf(results);
  const { title, verdict, seal } = FOUND[finding];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} · Waybill receiver certificate</title><style>${STYLE}</style></head><body><main>
<header><div><p class="brand">Waybill receiver certificate</p>
<h1>${verdict}</h1>
<p class="summary">${tally(results).join(' · ')}</p></div>
<div class="seal ${finding}" aria-hidden="true">${seal}</div></header>
<dl>${fact('receiver', statement.url)}${fact('engine', statement.engine)}${fact('contract', statement.contract.slice(0, 16))}${fact('made at', timeText(statement.startedAt))}</dl>
${sectionsOf(results).join('\n')}
<footer><p>Signed with ed25519: <code>${escaped(signature)}</code></p>
<p>The JSON statement is what was signed; this page only shows it. Check the statement, offline, with
<code class="command">npx waybill-certify --verify &lt;file&gt;</code>.</p></footer>
</main></body></html>
`;
}

/** To the second, without the letters that machines need. */
function timeText(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}

function fact(name: string, value: string): string {
  return `<div><dt>${name}</dt><dd>${escaped(value)}</dd></div>`;
}

function sectionsOf(results: readonly Result[]): readonly string[] {
  const of = (verdict: Result['verdict']) => results.filter((result) => result.verdict === verdict);
  const passed = of('passed');
  const groups = [...new Set(passed.map(({ group }) => group))];
  return [
    section('What failed', of('failed')),
    section('What could be better', of('advice')),
    section('What was not observed', of('skipped')),
    section('What was not judged', of('not-judged')),
    ...groups.map((group) =>
      section(
        group,
        passed.filter((result) => result.group === group),
      ),
    ),
  ];
}

function section(title: string, results: readonly Result[]): string {
  if (results.length === 0) return '';
  const passed = results.every(({ verdict }) => verdict === 'passed');
  const size = `<span>${results.length}${passed ? ' passed' : ''}</span>`;
  return `<section><h2>${escaped(title)} ${size}</h2>${results.map(row).join('')}</section>`;
}

function row({ title, expects, verdict, words }: Result): string {
  const isOpen = verdict === 'failed' || verdict === 'advice';
  const [open, glance] = isOpen ? [' open', ''] : ['', words];
  const seen = isOpen ? `<p class="seen">${escaped(sentence(words))}</p>` : '';
  return `<details class="${verdict}"${open}><summary><b>${escaped(title)}</b><i>${escaped(glance)}</i></summary>${seen}<p>${escaped(expects)}</p></details>`;
}
