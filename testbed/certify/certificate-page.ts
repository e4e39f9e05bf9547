import { escaped } from '../report/markup.ts';
import { STYLE } from './certificate-style.ts';
import type { Result } from './certify.ts';
import { sentence } from './scenario.ts';
import type { SignedStatement, Statement } from './statement.ts';
import { SUBJECTS } from './subject.ts';
import { type Finding, findingOf, tally } from './verdicts.ts';

const LOOKS: Readonly<Record<Finding, { readonly title: string; readonly seal: string }>> = {
  passed: { title: 'Passed', seal: '✓' },
  failed: { title: 'Failed', seal: '✗' },
  'not-judged': { title: 'Not judged', seal: '–' },
};

/** The certificate as a page for people: a picture if there is one, what is not well, then all by what it is about. */
export function certificatePage(
  results: readonly Result[],
  { statement, signature }: SignedStatement,
  picture = '',
): string {
  const finding = findingOf(results);
  const { title, seal } = LOOKS[finding];
  const { noun, found, cause, unseen } = SUBJECTS[statement.kind];
  const why = finding === 'not-judged' ? `: ${cause}` : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} · Waybill ${noun} certificate</title><style>${STYLE}</style></head><body><main>
<header><div><p class="brand">Waybill ${noun} certificate</p>
<h1>This ${noun} ${found[finding]}${why}</h1>
<p class="summary">${tally(results, unseen).join(' · ')}</p></div>
<div class="seal ${finding}" aria-hidden="true">${seal}</div></header>
<dl>${factsOf(statement)}</dl>
${picture}
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

function factsOf(statement: Statement): string {
  const { kind, url, engine, startedAt } = statement;
  const facts = {
    ...(kind === 'waybill-receiver-certificate'
      ? { receiver: url, engine, contract: statement.contract.slice(0, 16) }
      : { address: url, sender: engine === '' ? 'without a name' : engine }),
    'made at': timeText(startedAt),
  };
  return Object.entries(facts)
    .map(([name, value]) => fact(name, value))
    .join('');
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
    section('What is not for this sender', of('not-asked')),
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
