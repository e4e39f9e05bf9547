import type { Story } from './queries.ts';

type AttemptPhases = NonNullable<Story['rounds'][number]['attempts'][number]['phases']>;

const PHASES = [
  ['connect_ms', 'Connect'],
  ['send_ms', 'Send'],
  ['wait_ms', 'Wait'],
  ['read_ms', 'Read'],
] as const satisfies readonly (readonly [keyof AttemptPhases, string])[];

/** What an attempt spent its time on. */
export function Phases({ phases }: { readonly phases: AttemptPhases }) {
  const reached = PHASES.flatMap(([key, title]) => {
    const ms = phases[key];
    return ms === undefined ? [] : [{ key, title, ms }];
  });
  return (
    <div className="phases">
      <div className="phases-bar" aria-hidden="true">
        {reached.map(({ key, ms }) => (
          <span key={key} className={key} style={{ flexGrow: Math.max(ms, 0.5) }} />
        ))}
      </div>
      <ul>
        {reached.map(({ key, title, ms }) => (
          <li key={key} className="small muted">
            <i className={key} />
            {title} <span className="number">{ms} ms</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
