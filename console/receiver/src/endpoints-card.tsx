import { Card } from '../../src/ui/card.tsx';
import { Secret } from '../../src/ui/copy.tsx';
import { Badge } from '../../src/ui/notice.tsx';
import { AnswerWord, answerReason } from './answer.tsx';
import type { Control, Endpoint, Receiver } from './control.ts';
import { ScriptForm } from './script-form.tsx';

/** Where to send, what is answered next, and a way to change it. */
export function EndpointsCard({ control, receiver }: { readonly control: Control; readonly receiver: Receiver }) {
  const { url, endpoints } = receiver;
  const [only] = endpoints;
  if (endpoints.length === 1 && only !== undefined) {
    return (
      <Card title="Endpoint">
        <Details control={control} endpoint={only} url={url} />
      </Card>
    );
  }
  return (
    <Card title="Endpoints" note="With what each answers next" flush>
      <ul className="endpoints">
        {endpoints.map((endpoint) => (
          <li key={endpoint.path ?? ''}>
            <details>
              <summary>
                <span className="endpoint-path mono">{endpoint.path ?? 'every other path'}</span>
                {endpoint.next.map(({ type, answer }) => (
                  <span key={type ?? ''} className="nowrap">
                    {type !== undefined && <span className="muted small">{type} </span>}
                    <AnswerWord answer={answer} />
                  </span>
                ))}
              </summary>
              <Details
                control={control}
                endpoint={endpoint}
                url={endpoint.path === undefined ? undefined : url + endpoint.path}
              />
            </details>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface DetailsProps {
  readonly control: Control;
  readonly endpoint: Endpoint;
  /** Undefined for the one that has every other path. */
  readonly url: string | undefined;
}

function Details({ control, endpoint, url }: DetailsProps) {
  return (
    <div className="endpoint">
      {url !== undefined && <Secret text={url} what={`the address ${endpoint.path ?? ''}`.trim()} />}
      <Facts endpoint={endpoint} />
      <ScriptForm control={control} endpoint={endpoint} />
    </div>
  );
}

function Facts({ endpoint: { next, checksSignatures, forward } }: { readonly endpoint: Endpoint }) {
  return (
    <dl className="endpoint-facts">
      {next.map(({ type, answer }) => (
        <div key={type ?? ''}>
          <dt>{nextTitle(type, next.length)}</dt>
          <dd>
            <AnswerWord answer={answer} /> <span className="muted small wrap">{answerReason({ answer })}</span>
          </dd>
        </div>
      ))}
      <div>
        <dt>Signatures</dt>
        <dd>
          {checksSignatures ? (
            <Badge tone="ok">Checked</Badge>
          ) : (
            <span className="muted small">Not checked: started without --secret</span>
          )}
        </dd>
      </div>
      {forward !== undefined && (
        <div>
          <dt>200 comes from</dt>
          <dd className="mono small wrap">{forward}</dd>
        </div>
      )}
    </dl>
  );
}

function nextTitle(type: string | undefined, of: number): string {
  if (type !== undefined) return `Next, ${type}`;
  return of === 1 ? 'Next answer' : 'Next, others';
}
