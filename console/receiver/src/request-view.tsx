import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Notice } from '../../src/ui/notice.tsx';
import { ExactTime } from '../../src/ui/time.tsx';
import { AnswerWord, answerReason } from './answer.tsx';
import { BodyCard } from './body-card.tsx';
import { ButtonAnchor } from './button-anchor.tsx';
import type { Control, Receiver, Request, Summary } from './control.ts';
import { HeadersCard } from './headers-card.tsx';
import { plain, sizeText } from './plain-text.ts';
import { ReplayCard } from './replay-card.tsx';
import { titleOf } from './request-list.tsx';
import { Verdict } from './verdict.tsx';

interface RequestViewProps {
  readonly control: Control;
  readonly summary: Summary;
  readonly receiver: Receiver;
}

/** One request: what came, what was made of it, and a way to send it on. Another request is another view. */
export function RequestView({ control, summary, receiver }: RequestViewProps) {
  const { number, at, method, path, bytes, attempt, signature } = summary;
  const endpoint = receiver.endpoints.find(({ path: own }) => own === summary.endpoint);
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: 'start' }), []);
  return (
    <article ref={place} className="stack" aria-label={`Request ${number}`}>
      <header className="page-head">
        <div className="grow">
          <h2 className="request-heading">{titleOf(summary)}</h2>
          <p className="muted mono small wrap">
            {method} {plain(path)}
          </p>
        </div>
        <span className="back">
          <ButtonAnchor href="#">All requests</ButtonAnchor>
        </span>
      </header>
      <Verdict signature={signature} />
      <dl className="card card-body facts narrow">
        <Fact title="Request">#{number}</Fact>
        <Fact title="Arrived">
          <ExactTime value={at} />
        </Fact>
        <Fact title="Attempt">{attempt === 1 ? 'first' : `${attempt}, of this message`}</Fact>
        <Fact title="Body">{sizeText(bytes)}</Fact>
        <Fact title="Answered" isWide>
          <AnswerWord {...summary} /> <span className="muted small">{answerReason(summary)}</span>
        </Fact>
      </dl>
      <Content control={control} number={number}>
        <ReplayCard control={control} number={number} canSign={endpoint?.canSign ?? false} />
      </Content>
    </article>
  );
}

interface FactProps {
  readonly title: string;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

function Fact({ title, isWide = false, children }: FactProps) {
  return (
    <div className={isWide ? 'wide' : undefined}>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface ContentProps {
  readonly control: Control;
  readonly number: number;
  /** Between the body and the headers. */
  readonly children: ReactNode;
}

/** Read when somebody looks: lists hold no bodies. */
function Content({ control, number, children }: ContentProps) {
  const [read, setRead] = useState<{ readonly request?: Request; readonly failure?: string }>({});
  useEffect(() => {
    const leaving = new AbortController();
    control.request(number, leaving.signal).then(
      (request) => setRead({ request }),
      (error: unknown) => {
        if (!leaving.signal.aborted) setRead({ failure: error instanceof Error ? error.message : '' });
      },
    );
    return () => leaving.abort();
  }, [control, number]);
  const { request, failure } = read;
  return (
    <>
      {failure !== undefined && <Notice tone="warn">{failure}</Notice>}
      {request !== undefined && <BodyCard request={request} />}
      {children}
      {request !== undefined && <HeadersCard headers={request.headers} />}
    </>
  );
}
