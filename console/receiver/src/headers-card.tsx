import { Card } from '../../src/ui/card.tsx';
import type { Request } from './control.ts';
import { plain } from './plain-text.ts';

/** In the order in which they came, those that came twice as well. */
export function HeadersCard({ headers }: Pick<Request, 'headers'>) {
  return (
    <Card title="Headers" note={`${headers.length}, in the order in which they came`} flush>
      <dl className="headers">
        {headers.map(({ name, value }, index) => (
          <div key={index}>
            <dt>{plain(name)}</dt>
            <dd className="mono">{plain(value)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
