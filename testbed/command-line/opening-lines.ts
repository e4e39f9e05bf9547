import { printScript } from '../fault-script/printer.ts';
import type { EndpointView } from '../receiver/receiver.ts';
import type { Colors } from './colors.ts';
import { GAP, titleRow } from './layout.ts';
import type { Layout } from './layout.ts';
import type { Opening } from './report.ts';
import { fitted, truncated, widthOf } from './text-width.ts';

type Row = readonly [name: string, value: string, remark?: string];

const NAME = 'signature'.length;
const MAX_PATH = 24;

/** What a person wants to know before the first request comes: a row for each thing that was asked for. */
export function openingLines(opening: Opening, colors: Colors, layout: Layout): readonly string[] {
  const rows = [
    ...elsewhereRows(opening),
    ...answerRows(opening),
    ...fileRows(opening),
    ['', 'Ctrl-C ends it with a summary'] as const,
  ];
  const room = layout.width - NAME - GAP.length * 2;
  return [
    `${colors.bold('Waybill receiver')} listening on ${colors.cyan(opening.url)}`,
    ...rows.map((row) => line(row, room, colors)),
    '',
    colors.dim(titleRow(layout)),
  ];
}

function line([name, value, remark = '']: Row, room: number, colors: Colors): string {
  if (name === '') return `${GAP}${colors.dim(value)}`;
  const shown = truncated(value, room);
  const left = room - widthOf(shown);
  return `${GAP}${colors.dim(fitted(name, NAME))}${GAP}${shown}${left < 8 ? '' : colors.dim(truncated(remark, left))}`;
}

/** Whoever listens on all addresses wants to be reached from elsewhere: the URL above is for this machine. */
function elsewhereRows({ elsewhere, ca }: Opening): readonly Row[] {
  if (elsewhere?.length === 0) return [['elsewhere', 'nowhere', ': this machine has no other address']];
  const whose =
    ca === undefined ? ', for other machines and containers' : ', where the name in its certificate is not checked';
  return (elsewhere ?? []).map((url, index) => [index === 0 ? 'elsewhere' : ' ', url, index === 0 ? whose : '']);
}

function answerRows({ endpoints, seed }: Opening): readonly Row[] {
  const seeded = seed === 0 ? '' : `, seed ${seed}`;
  const [first] = endpoints;
  if (endpoints.length > 1 || first === undefined) return severalRows(endpoints, seeded);
  return [
    ['signature', first.isChecking ? 'checked with --secret' : 'not checked, no --secret'],
    ['answers', printScript(first.script), repeats(first) + seeded],
    ...(first.application === undefined
      ? []
      : [['forward', first.application, ' answers where the script says 200'] as const]),
  ];
}

function severalRows(endpoints: readonly EndpointView[], seeded: string): readonly Row[] {
  const width = Math.min(MAX_PATH, Math.max(...endpoints.map(({ path = 'else' }) => widthOf(path))));
  return endpoints.map((endpoint, index) => {
    const { path = 'else', script, isChecking, application } = endpoint;
    const remarks = [
      isChecking ? ', signature checked' : ', signature not checked',
      application === undefined ? '' : `, forwards to ${application}`,
    ];
    return [
      index === 0 ? 'endpoints' : ' ',
      `${fitted(path, width)}${GAP}${printScript(script)}`,
      repeats(endpoint) + remarks.join('') + seeded,
    ];
  });
}

function repeats({ script }: EndpointView): string {
  return script.length > 1 ? ', then the last step repeats' : ', always';
}

function fileRows({ ca, page, control, record, har }: Opening): readonly Row[] {
  const rows: readonly (readonly [name: string, value: string | undefined, remark: string])[] = [
    ['page', page, ''],
    ['trust', ca, ' for NODE_EXTRA_CA_CERTS'],
    ['control', control, ''],
    ['record', record, ' is added to; it holds header values'],
    ['archive', har, ' is written anew (HAR 1.2)'],
  ];
  return rows.flatMap(([name, value, remark]) => (value === undefined ? [] : [[name, value, remark] as const]));
}
