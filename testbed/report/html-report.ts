import type { DeliveryPolicy } from '../../server/model/policy.ts';
import { KIND_LOOKS, KINDS, kindOf } from './kind.ts';
import { escaped } from './markup.ts';
import type { Picture } from './picture.ts';
import { svgPicture } from './svg-picture.ts';
import { spanText } from './time-text.ts';
import { figuresOf, totalsOf } from './totals.ts';

/** One page with one picture, or with two policies below each other on the same scale of time. */
export function htmlReport(pictures: readonly [Picture, ...Picture[]]): string {
  const [first] = pictures;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(first.title)} · Waybill simulation</title><style>${STYLE}</style></head>
<body><main>
<p class="brand">Waybill simulation <span>seed ${first.seed}, ${escaped(spanText(first.durationMs))} in virtual time</span></p>
<h1>${escaped(first.title)}</h1>
<p class="story">${escaped(first.story)}</p>
<p class="expects"><b>Expected of the router</b> ${escaped(first.expects)}</p>
<ul class="legend">${legendOf(pictures)}</ul>
${pictures.length > 1 ? comparison(pictures) : ''}
${pictures.map((picture) => section(picture, pictures.length > 1)).join('\n')}
<footer>Each line is an event on its way to a webhook, from its acceptance to its end; each dot is an attempt. The bar under a
lane is the time for which its destination was parked. What is on its first attempt does not count as waiting. Point at a dot to read it.</footer>
</main></body></html>
`;
}

const STYLE = `
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5c6470;--line:#1c24301f;--page:#f6f7f9;--card:#fff}
@media (prefers-color-scheme:dark){:root{--ink:#eef1f5;--soft:#98a2b3;--line:#ffffff1f;--page:#12161c;--card:#1a2028}}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 ui-sans-serif,system-ui,sans-serif}
main{max-width:1240px;margin:0 auto;padding:36px 28px}
.brand{margin:0;font-weight:600;font-size:13px}.brand span{font-weight:400;color:var(--soft);margin-left:10px}
h1{font-size:34px;line-height:1.1;margin:6px 0 8px;letter-spacing:-.02em}h2{font-size:17px;margin:0}
.story{margin:0;font-size:17px}.expects{margin:4px 0 18px;color:var(--soft)}.expects b{font-weight:600;color:var(--ink);margin-right:6px}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:6px 20px;padding:0;margin:0 0 18px;font-size:13px;color:var(--soft)}
.legend i{display:inline-block;width:10px;height:10px;border-radius:50%;margin-right:7px}.legend .bar{border-radius:2px;height:5px;width:16px;background:light-dark(#0f8b9d,#4fd1e0);vertical-align:2px}
.legend .outage{border-radius:2px;width:16px;background:repeating-linear-gradient(45deg,light-dark(#d1442f66,#ff806966) 0 2px,transparent 2px 5px);outline:1px solid light-dark(#d1442f80,#ff806980);vertical-align:-1px}
section,table{background:var(--card);border:1px solid var(--line);border-radius:12px;margin-bottom:20px}
section{padding:18px 18px 8px}header{display:flex;gap:12px;align-items:baseline;flex-wrap:wrap}header span{color:var(--soft);font-size:13px}
dl{display:flex;flex-wrap:wrap;gap:0 34px;margin:12px 0 10px}dl div{min-width:70px}dt{font-size:12px;color:var(--soft)}dd{margin:0;font-size:21px;font-weight:600;font-variant-numeric:tabular-nums}
svg{width:100%;height:auto;display:block}
table{min-width:50%;border-collapse:separate;border-spacing:0;font-variant-numeric:tabular-nums}th,td{padding:7px 18px;text-align:right;font-weight:400}th:first-child{text-align:left;color:var(--soft)}thead th{font-weight:600}tbody tr>*{border-top:1px solid var(--line)}
footer{color:var(--soft);font-size:13px;max-width:80ch}`;

function legendOf(pictures: readonly Picture[]): string {
  const marks = pictures.flatMap(({ lanes }) => lanes.flatMap(({ tracks }) => tracks.flatMap((track) => track.marks)));
  const seen = new Set(marks.map(({ outcome }) => kindOf(outcome)));
  const isParked = pictures.some(({ lanes }) => lanes.some(({ parked }) => parked.length > 0));
  const kinds = KINDS.filter((kind) => seen.has(kind)).map((kind) => {
    const { light, dark, words } = KIND_LOOKS[kind];
    return `<li><i style="background:light-dark(${light},${dark})"></i>${escaped(words)}</li>`;
  });
  const outage = '<li><i class="outage"></i>the outage</li>';
  return kinds.join('') + outage + (isParked ? '<li><i class="bar"></i>parked</li>' : '');
}

function section(picture: Picture, isCompared: boolean): string {
  const { policy, label } = picture;
  const facts = figuresOf(totalsOf(picture)).map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return `<section><header><h2>${escaped(label)}</h2><span>${escaped(policyText(policy))}</span></header>
${isCompared ? '' : `<dl>${facts.join('')}</dl>`}${svgPicture(picture)}</section>`;
}

function comparison(pictures: readonly Picture[]): string {
  const columns = pictures.map((picture) => figuresOf(totalsOf(picture)));
  const names = columns[0]?.map(([name]) => name) ?? [];
  const rows = names.map(
    (name, index) =>
      `<tr><th>${name}</th>${columns.map((column) => `<td>${column[index]?.[1] ?? ''}</td>`).join('')}</tr>`,
  );
  const head = pictures.map(({ label }) => `<th>${escaped(label)}</th>`).join('');
  return `<table><thead><tr><th></th>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function policyText({ firstWaitMs, maxWaitMs, windowMs, deadlineMs, parkAfter }: DeliveryPolicy): string {
  const [first, most, window, deadline] = [firstWaitMs, maxWaitMs, windowMs, deadlineMs].map(spanText);
  return `waits from ${first} doubling to ${most}, for ${window}, deadline ${deadline}, parked after ${parkAfter} failed rounds`;
}
