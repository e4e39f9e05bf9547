import type { Connection } from './connection.ts';
import { cell } from './table.ts';
import type { Terminal } from './terminal.ts';
import { clientOf } from './typed-client.ts';

/** One delivery in words: what happened, when, and what may help. */
export async function explainDelivery(
  name: string,
  connection: Connection,
  isForPrograms: boolean,
  terminal: Terminal,
): Promise<void> {
  const { explanation } = await clientOf(connection).deliveries.get(name);
  terminal.print(isForPrograms ? JSON.stringify(explanation) : inWords(explanation));
}

interface Explanation {
  readonly summary: string;
  readonly timeline: readonly { readonly time: string; readonly text: string }[];
  readonly hints: readonly string[];
}

function inWords({ summary, timeline, hints }: Explanation): string {
  return [
    cell(summary),
    '',
    ...timeline.map(({ time, text }) => `${time}  ${cell(text)}`),
    ...(hints.length === 0 ? [] : ['', ...hints.map((hint) => `- ${cell(hint)}`)]),
  ].join('\n');
}
