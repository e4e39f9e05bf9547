import { escaped } from '../report/markup.ts';
import { hasPassed, type Result } from './certify.ts';
import type { SignedStatement } from './statement.ts';

/** The certificate as a page for people. */
export function certificatePage(results: readonly Result[], { statement, signature }: SignedStatement): string {
  const count = (verdict: Result['verdict']) => results.filter((result) => result.verdict === verdict).length;
  const isPassed = hasPassed(results);
  const advice = count('advice');
  const summary = [
    `${count('passed')} passed`,
    ...(advice === 0 ? [] : [`${advice} with advice`]),
    `${count('failed')} failed`,
  ].join(' · ');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${isPassed ? 'Passed' : 'Failed'} · Waybill receiver certificate</title><style>${STYLE}</style></head><body><main>
<div class="seal ${isPassed ? 'passed' : 'failed'}" aria-hidden="true">${isPassed ? '✓' : '✗'}</div>
<p class="brand">Waybill receiver certificate</p>
<h1>${isPassed ? 'This receiver keeps the contract' : 'This receiver does not keep the contract'}</h1>
<p class="summary">${summary}</p>
<dl><div><dt>receiver</dt><dd>${escaped(statement.url)}</dd></div><div><dt>engine</dt><dd>${escaped(statement.engine)}</dd></div>
<div><dt>contract</dt><dd>${statement.contract.slice(0, 16)}</dd></div><div><dt>made at</dt><dd>${escaped(statement.startedAt)}</dd></div></dl>
${[...results]
  .toSorted((a, b) => RANK[a.verdict] - RANK[b.verdict])
  .map(row)
  .join('\n')}
<footer>Signed with ed25519: <code>${escaped(signature)}</code>. Check the JSON statement with <code>npm run certify -- --verify</code>.</footer>
</main></body></html>
`;
}

const RANK = { failed: 0, advice: 1, passed: 2 } as const satisfies Record<Result['verdict'], number>;

const STYLE = `
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5c6470;--line:#1c24301f;--page:#f6f7f9;--card:#fff;--passed:#1f9d63;--failed:#c0392b;--advice:#b7791f}
@media (prefers-color-scheme:dark){:root{--ink:#eef1f5;--soft:#98a2b3;--line:#ffffff1f;--page:#12161c;--card:#1a2028;--passed:#4cd596;--failed:#ff8069;--advice:#ffd84d}}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 ui-sans-serif,system-ui,sans-serif}
main{max-width:860px;margin:0 auto;padding:44px 28px;position:relative}
.seal{position:absolute;right:28px;top:48px;width:76px;height:76px;border-radius:50%;display:grid;place-items:center;font-size:38px;color:var(--card)}
.seal.passed{background:var(--passed)}.seal.failed{background:var(--failed)}
.brand{margin:0;font-weight:600;font-size:13px}h1{font-size:30px;letter-spacing:-.02em;line-height:1.15;margin:6px 100px 6px 0}
.summary{margin:0 0 20px;font-size:17px;color:var(--soft)}
dl{display:flex;flex-wrap:wrap;gap:6px 34px;margin:0 0 24px}dt{font-size:12px;color:var(--soft)}dd{margin:0;font-weight:600;overflow-wrap:anywhere}
details{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:10px 16px;margin-bottom:6px}
summary{cursor:pointer;display:flex;gap:12px;align-items:baseline}summary b{font-weight:600;flex:1}summary i{font-style:normal;color:var(--soft);font-size:13px}
summary::before{content:"●";color:var(--passed)}.failed summary::before{color:var(--failed)}.advice summary::before{color:var(--advice)}
details p{margin:6px 0 2px 24px;color:var(--soft)}details p+p{color:var(--ink)}
footer{margin-top:24px;color:var(--soft);font-size:13px}code{overflow-wrap:anywhere}`;

function row({ title, expects, verdict, words, ms }: Result): string {
  const open = verdict === 'passed' ? '' : ' open';
  return `<details class="${verdict}"${open}><summary><b>${escaped(title)}</b><i>${verdict}, ${ms} ms</i></summary><p>${escaped(expects)}</p><p>${escaped(words)}</p></details>`;
}
