import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange, useRemoval, useWorkspace } from '../session/workspace.tsx';
import { type Tile, Tiles } from '../destinations/summary-tiles.tsx';
import { Button } from '../ui/button.tsx';
import { DeleteButton } from '../ui/confirm.tsx';
import { Failure } from '../ui/failure.tsx';
import { Switch } from '../ui/field.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { titleOf } from '../ui/names.ts';
import { Notice } from '../ui/notice.tsx';
import { countText } from '../ui/numbers.ts';
import { Page } from '../ui/page.tsx';
import { relative } from '../ui/relative.ts';
import { DefinitionCard } from './definition-card.tsx';
import { WORDS } from './kinds.ts';
import { MembersCard } from './members-card.tsx';
import { type Audience, type Computed, type Kind, methodsOf, useComputed } from './queries.ts';
import { RenameDialog } from './rename-dialog.tsx';
import { StateBadge } from './state-badge.tsx';
import { SyncsCard } from './syncs-card.tsx';
import { ToldCard } from './told-card.tsx';
import { ValuesCard } from './values-card.tsx';

export function AudiencePage() {
  const { id } = useParams({ from: '/workspaces/$workspace/audiences/$id' });
  return <ComputedPage kind="audiences" id={id} />;
}

export function ComputedTraitPage() {
  const { id } = useParams({ from: '/workspaces/$workspace/computed-traits/$id' });
  return <ComputedPage kind="computed-traits" id={id} />;
}

interface ViewProps {
  readonly kind: Kind;
  readonly computed: Computed;
}

function ComputedPage({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const computed = useComputed(kind, id);
  return <Loaded query={computed}>{(data) => <View key={data.name} kind={kind} computed={data} />}</Loaded>;
}

function View({ kind, computed }: ViewProps) {
  const { canWrite } = useWorkspace();
  const sync = useChange((client) => methodsOf(client, kind).sync(computed.name), [[kind]]);
  const actions = (
    <>
      <EnabledSwitch kind={kind} computed={computed} />
      {canWrite && (
        <Button
          icon="replay"
          disabled={!computed.enabled || computed.state === 'COMPUTING' || sync.isPending}
          onClick={() => sync.mutate(undefined)}
        >
          Sync now
        </Button>
      )}
      {canWrite && <Rename kind={kind} computed={computed} />}
      {canWrite && <DeleteComputed kind={kind} computed={computed} />}
    </>
  );
  const lead = <span className="mono small">{computed.name}</span>;
  return (
    <Page title={titleOf(computed)} lead={lead} crumbs={<Crumbs kind={kind} />} actions={actions}>
      <div className="stack">
        {sync.error !== null && <Failure error={sync.error} />}
        {computed.state_reason !== undefined && (
          <Notice tone="bad">
            <strong>The last sync failed.</strong> {computed.state_reason}
          </Notice>
        )}
        <Tiles tiles={tilesOf(kind, computed)} />
        <SyncsCard kind={kind} computed={computed} />
        {isAudience(kind, computed) ? <MembersCard audience={computed} /> : <ValuesCard trait={computed} />}
        <DefinitionCard kind={kind} computed={computed} />
        <ToldCard kind={kind} computed={computed} />
      </div>
    </Page>
  );
}

function isAudience(kind: Kind, _computed: Computed): _computed is Audience {
  return kind === 'audiences';
}

export function Crumbs({ kind }: { readonly kind: Kind }) {
  const { slug: workspace } = useWorkspace();
  return (
    <Link to={`/workspaces/$workspace/${kind}`} params={{ workspace }}>
      {WORDS[kind].title}
    </Link>
  );
}

function tilesOf(kind: Kind, { size, last_sync: sync, history_from: from, state }: Computed): readonly Tile[] {
  return [
    { title: 'State', value: <StateBadge state={state} />, note: stateNote(state) },
    {
      title: WORDS[kind].size,
      value: size === undefined ? '–' : countText(size),
      note: size === undefined ? 'known after the first sync' : 'at the last sync',
    },
    {
      title: 'Last sync',
      value: sync === undefined ? '–' : since(sync.start_time),
      note:
        sync === undefined ? 'none yet' : `${countText(sync.sent)} calls sent, ${countText(sync.delivered)} delivered`,
    },
    { title: 'Counted since', value: since(from), note: 'events before do not count' },
  ];
}

function since(time: string): string {
  return relative(Date.parse(time) - Date.now());
}

function stateNote(state: Computed['state']): string {
  switch (state) {
    case 'PREPARING':
      return 'the first sync begins soon';
    case 'COMPUTING':
      return 'a sync is running';
    case 'LIVE':
      return 'synced every few hours';
    case 'DISABLED':
      return 'not computed';
    case 'FAILED':
      return 'the next sync tries again';
  }
}

function EnabledSwitch({ kind, computed }: ViewProps) {
  const { canWrite } = useWorkspace();
  const change = useChange(
    (client, enabled: boolean) => methodsOf(client, kind).update(computed.name, { enabled }),
    [[kind]],
  );
  return (
    <Switch
      label={`${titleOf(computed)} enabled`}
      checked={change.isPending ? change.variables : computed.enabled}
      disabled={!canWrite || change.isPending}
      onChange={(enabled) => change.mutate(enabled)}
    />
  );
}

function Rename({ kind, computed }: ViewProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Rename</Button>
      {isOpen && <RenameDialog kind={kind} computed={computed} onClose={() => setOpen(false)} />}
    </>
  );
}

function DeleteComputed({ kind, computed }: ViewProps) {
  const { slug: workspace } = useWorkspace();
  const navigate = useNavigate();
  const remove = useRemoval(
    (client) => methodsOf(client, kind).delete(computed.name),
    [[kind]],
    () => navigate({ to: `/workspaces/$workspace/${kind}`, params: { workspace } }),
  );
  return (
    <DeleteButton title={titleOf(computed)} what={WORDS[kind].one} mutation={remove}>
      Its destinations are told nothing, and no other audience or computed trait gets the key{' '}
      <code className="wrap">{computed.key}</code> again.
    </DeleteButton>
  );
}
