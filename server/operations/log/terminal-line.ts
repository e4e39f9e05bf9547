const WARNING = 40;
const ERROR = 50;

/** A line of the log as a person reads it: `12:00:01 warning: attempt failed {"outcome":"http_5xx"}`. */
export function terminalLine(json: string): string {
  const { level, time, msg, ...fields }: Record<string, unknown> = JSON.parse(json);
  const clock = new Date(Number(time)).toTimeString().slice(0, 8);
  const details = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`;
  return `${clock} ${label(Number(level))}${String(msg)}${details}\n`;
}

function label(level: number): string {
  if (level >= ERROR) return 'error: ';
  return level >= WARNING ? 'warning: ' : '';
}
