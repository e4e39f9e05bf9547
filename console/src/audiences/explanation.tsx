import type { ExplainedMember } from '@waybill/client/config';
import { Icon } from '../ui/icons.tsx';
import { useNow } from '../ui/time.tsx';
import { comparisonText } from './comparison-fields.tsx';
import { ComputedName } from './computed-name.tsx';
import { lookedAt } from './looked-at.ts';
import { titleOfMeasure } from './measures.ts';

type Explained = ExplainedMember['explanation'];

const GROUPS: Readonly<Record<string, string>> = {
  all: 'All of these hold',
  any: 'At least one of these holds',
  not: 'This does not hold',
};

/** Each condition with what the user has, and whether it holds. */
export function Explanation({ condition }: { readonly condition: Explained }) {
  const { holds, conditions } = condition;
  return (
    <div className="explained" data-holds={holds}>
      <span className={holds ? 'mark holds' : 'mark'}>
        <Icon name={holds ? 'check' : 'close'} />
      </span>
      <div className="stack-tight">
        <div>
          <span className="hidden-visually">{holds ? 'Holds: ' : 'Does not hold: '}</span>
          <From condition={condition} />
          {conditions === undefined ? <Measured condition={condition} /> : <strong>{GROUPS[condition.kind]}</strong>}
        </div>
        {conditions !== undefined && (
          <ul className="keys stack-tight">
            {conditions.map((one, index) => (
              <li key={index}>
                <Explanation condition={one} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

/** The audience or computed trait that stands here with its own conditions. */
function From({ condition: { member_of: audience, computed_trait: trait } }: { readonly condition: Explained }) {
  return (
    <>
      {audience !== undefined && (
        <div>
          Member of <ComputedName kind="audiences" name={audience} />:
        </div>
      )}
      {trait !== undefined && (
        <div>
          Computed trait <ComputedName kind="computed-traits" name={trait} />:
        </div>
      )}
    </>
  );
}

function Measured({ condition }: { readonly condition: Explained }) {
  const { kind, trait, value, is } = condition;
  return (
    <>
      {kind === 'trait' ? (
        <>
          Trait <code className="wrap">{trait}</code>
        </>
      ) : (
        <Events condition={condition} />
      )}
      <div className="wrap">
        <strong className="number">{value === undefined ? 'missing' : JSON.stringify(value)}</strong>{' '}
        <span className="muted">– holds when it {is === undefined ? '' : comparisonText({ ...is })}</span>
      </div>
    </>
  );
}

function Events({ condition: { where, measure, of, after, until } }: { readonly condition: Explained }) {
  const now = useNow();
  return (
    <>
      {of === undefined ? (
        ofEvents(titleOfMeasure(measure))
      ) : (
        <>
          {titleOfMeasure(measure)} of <code className="wrap">{of}</code>
        </>
      )}{' '}
      <span className="muted">where</span> <code className="wrap">{where ?? 'all'}</code>
      <div className="muted" title={[after, until].filter((time) => time !== undefined).join(' – ')}>
        events {lookedAt({ after, until }, now)}
      </div>
    </>
  );
}

/** `Sum` → `Sum of events`, and `Number of events` as it is. */
function ofEvents(title: string): string {
  return title.endsWith('events') ? title : `${title} of events`;
}
