import { ThemeButton } from '../../src/shell/theme.tsx';
import { Button } from '../../src/ui/button.tsx';
import { Icon } from '../../src/ui/icons.tsx';
import { Badge, type Tone } from '../../src/ui/notice.tsx';
import type { Control } from './control.ts';
import type { NewsState } from './use-news.ts';

const STATES: Readonly<Record<NewsState, readonly [tone: Tone, text: string]>> = {
  connecting: ['busy', 'Connecting'],
  live: ['ok', 'Live'],
  interrupted: ['warn', 'The receiver is gone'],
  refused: ['bad', 'Refused'],
};

interface BarProps {
  readonly control: Control;
  readonly state: NewsState;
  readonly isEmpty: boolean;
  readonly onFailure: (message: string) => void;
}

/** What is for all requests. */
export function Bar({ control, state, isEmpty, onFailure }: BarProps) {
  const [tone, text] = STATES[state];
  const attempt = (act: () => Promise<unknown>) => () =>
    void act().catch((error: unknown) => onFailure(error instanceof Error ? error.message : String(error)));
  const isOff = state !== 'live' || isEmpty;
  return (
    <header className="bar">
      <h1 className="brand">
        <Icon name="waybill" />
        Receiver
      </h1>
      <Badge tone={tone}>{text}</Badge>
      <span className="bar-actions">
        <Button
          size="small"
          disabled={isOff}
          title="An HTTP archive (HAR 1.2)"
          onClick={attempt(() => download(control))}
        >
          Download HAR
        </Button>
        <Button
          size="small"
          disabled={isOff}
          title="Forgets what came, and plays every script from its beginning"
          onClick={attempt(control.reset)}
        >
          Start over
        </Button>
        <ThemeButton />
      </span>
    </header>
  );
}

async function download(control: Control): Promise<void> {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await control.archive());
  link.download = 'requests.har';
  link.click();
  URL.revokeObjectURL(link.href);
}
