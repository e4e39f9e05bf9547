/** How the certificate looks, by day and by night, on a wide screen, a narrow one, and on paper. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5c6470;--line:#1c24301f;--page:#f6f7f9;--card:#fff;--passed:#18804f;--failed:#c0392b;--advice:#a16207}
@media (prefers-color-scheme:dark){:root{--ink:#eef1f5;--soft:#a3adbb;--line:#ffffff1f;--page:#12161c;--card:#1a2028;--passed:#4cd596;--failed:#ff8069;--advice:#ffd84d}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 ui-sans-serif,system-ui,sans-serif}
main{max-width:900px;margin:0 auto;padding:44px 28px}
header{display:flex;gap:24px;align-items:center;justify-content:space-between}
.seal{flex:none;width:76px;height:76px;border-radius:50%;display:grid;place-items:center;font-size:38px;color:var(--card)}
.seal.passed{background:var(--passed)}.seal.failed{background:var(--failed)}.seal.not-judged{background:var(--soft)}
.brand{margin:0;font-weight:600;font-size:13px}h1{font-size:30px;letter-spacing:-.02em;line-height:1.15;margin:6px 0}
.summary{margin:0;font-size:17px;color:var(--soft)}
dl{display:flex;flex-wrap:wrap;gap:6px 34px;margin:22px 0 0}dt{font-size:12px;color:var(--soft)}dd{margin:0;font-weight:600;overflow-wrap:anywhere}
h2{font-size:15px;margin:30px 0 8px;display:flex;justify-content:space-between}h2 span{font-weight:400;color:var(--soft);font-size:13px}
details{background:var(--card);border:1px solid var(--line);border-bottom-width:0;padding:9px 16px}
details:first-of-type{border-radius:10px 10px 0 0}details:last-of-type{border-radius:0 0 10px 10px;border-bottom-width:1px}details:only-of-type{border-radius:10px}
summary{cursor:pointer;display:flex;gap:4px 12px;align-items:baseline;list-style:none}summary::-webkit-details-marker{display:none}
summary b{font-weight:500;flex:1 1 auto}summary i{font-style:normal;color:var(--soft);font-size:13px;text-align:right;flex:0 1 auto;max-width:60%}
.failed summary b,.advice summary b{font-weight:600}
summary::before{content:"✓";color:var(--passed);font-weight:700;width:14px;flex:none}.failed summary::before{content:"✗";color:var(--failed)}.advice summary::before{content:"!";color:var(--advice)}.skipped summary::before,.not-judged summary::before,.not-asked summary::before{content:"-";color:var(--soft)}
details p{margin:4px 0 0 26px;color:var(--soft)}details p.seen{color:var(--ink)}
footer{margin-top:30px;color:var(--soft);font-size:13px}footer p{margin:4px 0}code{overflow-wrap:anywhere}code.command{white-space:nowrap}
@media (max-width:640px){main{padding:28px 16px}.seal{width:56px;height:56px;font-size:28px}h1{font-size:24px}summary{flex-wrap:wrap}summary b{flex:1 1 70%}summary i{flex:1 1 100%;max-width:none;text-align:left;margin-left:26px}}
@media print{body{background:#fff}details{break-inside:avoid}}`;
