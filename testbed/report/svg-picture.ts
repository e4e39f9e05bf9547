import { KIND_LOOKS, KINDS, kindOf } from './kind.ts';
import type { Kind } from './kind.ts';
import { digits, escaped } from './markup.ts';
import type { Lane, Picture, Span, Track } from './picture.ts';
import { axisStep, clockText, spanText } from './time-text.ts';
import { backlogOf } from './totals.ts';

const WIDTH = 1160;
const LEFT = 12;
const RIGHT = 12;
const HEAD = 32;
const LANE = 170;
const GAP = 34;
const BACKLOG = 56;
const MOMENTS = 290;
const EMPHASIS = 12;

type X = (at: number) => string;

/** A lane for each webhook: a line for each event from its acceptance to its end, a dot for each attempt. */
export function svgPicture(picture: Picture): string {
  const { durationMs, lanes, outage } = picture;
  const x: X = (at) => digits(LEFT + (at * (WIDTH - LEFT - RIGHT)) / durationMs);
  const bottom = HEAD + lanes.length * (LANE + GAP);
  const height = bottom + BACKLOG + GAP;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(
    `Attempts over ${clockText(durationMs)} hours through ${picture.title}`,
  )}">
<style>${STYLE}</style>
<defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line y2="7" class="hatch"/></pattern></defs>
${axis(durationMs, x, height)}
${outageBand(outage, x, height)}
${lanes.map((lane, index) => laneOf(lane, HEAD + index * (LANE + GAP), x)).join('\n')}
${backlog(picture, x, bottom)}
</svg>`;
}

/** Light by default; where it stands in a page that knows better, or in a dark window, dark. */
const STYLE = `
text{font:12px ui-sans-serif,system-ui,sans-serif;fill:#5c6470}
.name{font-weight:600;fill:#1c2430;paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}
.grid{stroke:#1c243014}.hatch{stroke:#d1442f38;stroke-width:4}.band{fill:url(#hatch)}.edge{stroke:#d1442f80}
.lane{fill:#1c243006}.wait{stroke:#1c243033;stroke-width:.8}.parked{fill:#0f8b9d}
.area{fill:#0f8b9d33;stroke:#0f8b9d;stroke-width:1.2}
${KINDS.map((kind) => `.${kind}{fill:${KIND_LOOKS[kind].light}}`).join('')}
@media (max-width:900px){text{font-size:18px}}
@media (prefers-color-scheme:dark){text{fill:#98a2b3}.name{fill:#eef1f5;stroke:#1a2028}.grid{stroke:#ffffff14}.lane{fill:#ffffff08}.wait{stroke:#ffffff45}
.hatch{stroke:#ff806938}.edge{stroke:#ff806980}.parked{fill:#4fd1e0}.area{fill:#4fd1e02e;stroke:#4fd1e0}
${KINDS.map((kind) => `.${kind}{fill:${KIND_LOOKS[kind].dark}}`).join('')}}`;

function axis(durationMs: number, x: X, height: number): string {
  const step = axisStep(durationMs, 12);
  const marks = Array.from({ length: Math.floor(durationMs / step) + 1 }, (_, index) => index * step);
  return marks
    .map((at) => {
      const isLast = at + step > durationMs;
      const anchor = at === 0 ? 'start' : 'middle';
      return `<line class="grid" x1="${x(at)}" x2="${x(at)}" y1="${HEAD - 8}" y2="${height - 20}"/><text x="${x(at)}" y="16" text-anchor="${isLast ? 'end' : anchor}">${clockText(at)}</text>`;
    })
    .join('');
}

function outageBand({ from, to }: Span, x: X, height: number): string {
  const edge = (at: number) => `<line class="edge" x1="${x(at)}" x2="${x(at)}" y1="${HEAD - 8}" y2="${height - 20}"/>`;
  const width = digits(Number(x(to)) - Number(x(from)));
  return `<rect class="band" x="${x(from)}" y="${HEAD - 8}" width="${width}" height="${height - 12 - HEAD}"><title>the outage: ${escaped(spanText(to - from))}</title></rect>${edge(from)}${edge(to)}`;
}

function laneOf({ webhook, tracks, parked }: Lane, top: number, x: X): string {
  const heights = heightsOf(tracks);
  const spans = parked.map(({ from, to }) => {
    const width = digits(Math.max(4, Number(x(to)) - Number(x(from))));
    return `<rect class="parked" x="${x(from)}" y="${top + LANE}" width="${width}" height="5" rx="2"><title>parked for ${escaped(spanText(to - from))}</title></rect>`;
  });
  return `<g><rect class="lane" x="${LEFT}" y="${top}" width="${WIDTH - LEFT - RIGHT}" height="${LANE}" rx="4"/>
${tracks.map((track, index) => trackOf(track, digits(top + (heights[index] ?? 0)), x)).join('')}
${spans.join('')}<text class="name" x="${LEFT + 8}" y="${top + LANE - 10}">${escaped(webhook)}</text></g>`;
}

/** Where in the lane each line lies, by order of acceptance. What needed more than one attempt gets the room to be seen. */
function heightsOf(tracks: readonly Track[]): readonly number[] {
  const isSlow = tracks.map(({ marks, from, to }) => marks.length > 1 || to - from > 30_000);
  const slow = isSlow.filter(Boolean).length;
  const emphasis = Math.max(EMPHASIS, (1.5 * (tracks.length - slow)) / Math.max(1, slow));
  const weights = isSlow.map((slowly) => (slowly ? emphasis : 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  return weights.map((weight) => {
    sum += weight;
    return 8 + ((sum - weight / 2) * (LANE - 16)) / total;
  });
}

function trackOf(track: Track, y: string, x: X): string {
  const last = track.marks.at(-1);
  const isOpen = track.state === 'pending' || track.state === 'trying';
  const until = isOpen || last === undefined ? track.to : last.at + last.ms;
  const isLong = track.marks.length > 1 || until - track.from > 60_000;
  const line = isLong ? `<line class="wait" x1="${x(track.from)}" x2="${x(until)}" y1="${y}" y2="${y}"/>` : '';
  const dots = track.marks.map(({ at, ms, outcome }, index) => {
    const kind: Kind = kindOf(outcome);
    const told = `${track.messageId}, attempt ${index + 1}: ${outcome} after ${spanText(ms)}, ${spanText(at - track.from)} after acceptance`;
    return `<circle class="${kind}" cx="${x(at)}" cy="${y}" r="${kind === 'delivered' ? 2.6 : 3}"><title>${escaped(told)}</title></circle>`;
  });
  return line + dots.join('');
}

function backlog(picture: Picture, x: X, top: number): string {
  const counts = backlogOf(picture, MOMENTS);
  const most = Math.max(1, ...counts);
  const step = picture.durationMs / MOMENTS;
  const y = (count: number) => digits(top + BACKLOG - (count * (BACKLOG - 6)) / most);
  const points = counts.flatMap((count, index) => [index, index + 1].map((edge) => `${x(edge * step)},${y(count)}`));
  const base = top + BACKLOG;
  return `<g><polygon class="area" points="${x(0)},${base} ${points.join(' ')} ${x(picture.durationMs)},${base}"/>
<text class="name" x="${LEFT + 8}" y="${base + 18}">events waiting, at most ${most}</text></g>`;
}
