import { escaped } from '../report/markup.ts';
import { STYLE } from './certificate-style.ts';
import { hasPassed, type Result } from './certify.ts';
import type { SignedStatement } from './statement.ts';

/** The certificate as a page for people: what is not well first, then all by what it is about. */
export function certificatePage(results: readonly Result[], { statement, signature }: SignedStatement): string {
  const isPassed = hasPassed(results);
  const verdict = isPassed ? 'This receiver keeps the contract' : 'This receiver does not keep the contract';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${isPassed ? 'Passed' : 'Failed'} · Waybill receiver certificate</title><style>${STYLE}</style></head><body><main>
<header><div><p class="brand">Waybill receiver certificate</p>
<h1>${verdict}</h1>
<p class="summary">${summaryOf(results)}</p></div>
<div class="seal ${isPassed ? 'passed' : 'failed'}" aria-hidden="true">${isPassed ? '✓' : '✗'}</div></header>
<dl>${fact('receiver', statement.url)}${fact('engine', statement.engine)}${fact('contract', statement.contract.slice(0, 16))}${fact('made at', timeText(statement.startedAt))}</dl>
${sectionsOf(results).join('\n')}
<footer><p>Signed with ed25519: <code>${escaped(signature)}</code></p>
<p>The JSON statement is what was signed; this page only shows it. Check the statement, offline, with
<code class="command">npm run certify -- --verify &lt;file&gt;</code>.</p></footer>
</main></body></html>
`;
}

function summaryOf(results: readonly Result[]): string {
  const count = (verdict: Result['verdict']) => results.filter((result) => result.verdict === verdict).length;
  const advice = count('advice');
  const parts = [
    `${count('passed')} passed`,
    ...(advice === 0 ? [] : [`${advice} with advice`]),
    `${count('failed')} failed`,
  ];
  return parts.join(' · ');
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
  const tally = `<span>${results.length}${passed ? ' passed' : ''}</span>`;
  return `<section><h2>${escaped(title)} ${tally}</h2>${results.map(row).join('')}</section>`;
}

function row({ title, expects, verdict, words }: Result): string {
  const [open, glance] = verdict === 'passed' ? ['', words] : [' open', ''];
  const seen = verdict === 'passed' ? '' : `<p class="seen">${escaped(words)}</p>`;
  return `<details class="${verdict}"${open}><summary><b>${escaped(title)}</b><i>${escaped(glance)}</i></summary>${seen}<p>${escaped(expects)}</p></details>`;
}
