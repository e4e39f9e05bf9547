import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service, ServiceAccount } from 'kubernetes-models/v1';
import { expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from '../../../scripts/generate/root.ts';
import { VARIABLES } from '../../settings/settings.ts';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { isPossible } from '../support/possible.ts';

const UNIT = join(ROOT, 'deploy/systemd/waybill.service');
const SYSTEMD = '/usr/bin/systemd-analyze';
const HAS_SYSTEMD = isPossible(process.env['CI'] !== undefined || existsSync(SYSTEMD), SYSTEMD);
/** Of 10, in tenths. */
const EXPOSURE = 20;

const KINDS = { Deployment, PodDisruptionBudget, Service, ServiceAccount };

function isKind(kind: string): kind is keyof typeof KINDS {
  return Object.hasOwn(KINDS, kind);
}

function faultsOf(manifests: string): readonly string[] {
  return parseAllDocuments(manifests).flatMap((document) => {
    const manifest: { readonly kind: string } = document.toJS();
    const { kind } = manifest;
    if (!isKind(kind)) return [`${kind} has no schema here`];
    try {
      new KINDS[kind](Object(manifest)).validate();
      return [];
    } catch (error) {
      return [`${kind}: ${String(error)}`];
    }
  });
}

const MANIFESTS = readFileSync(join(ROOT, 'deploy/kubernetes/waybill.yaml'), 'utf8');

test('the manifests are valid by the schemas of Kubernetes', () => {
  expect(faultsOf(MANIFESTS)).toEqual([]);
});

test('a manifest that is not valid is found', () => {
  expect(faultsOf(MANIFESTS.replace('minAvailable: 2', 'minAvailable: [2]'))).toHaveLength(1);
  expect(faultsOf(MANIFESTS.replace('containerPort: 8080', 'containerPort: http'))).toHaveLength(1);
});

test('labels, ports and budgets of the manifests fit together', () => {
  const all = parseAllDocuments(MANIFESTS).map((document) => document.toJS());
  const [deployment, service, budget] = ['Deployment', 'Service', 'PodDisruptionBudget'].map((kind) =>
    all.find((one) => one.kind === kind),
  );
  const { spec } = deployment;
  const labels = spec.template.metadata.labels;
  expect([spec.selector.matchLabels, service.spec.selector, budget.spec.selector.matchLabels]).toEqual([
    labels,
    labels,
    labels,
  ]);
  expect(budget.spec.minAvailable).toBeLessThan(spec.replicas);
  const [container] = spec.template.spec.containers;
  expect(service.spec.ports[0].targetPort).toBe(container.ports[0].name);
  const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
  expect(probes.map(({ httpGet }) => httpGet.path)).toEqual(['/healthz', '/healthz', '/readyz']);
  const preStop = container.lifecycle.preStop.sleep.seconds;
  expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(preStop + 10);
});

test('the pods have no privileges and write nothing, and an update never has fewer of them', () => {
  const all = parseAllDocuments(MANIFESTS).map((document) => document.toJS());
  const { spec } = all.find(({ kind }) => kind === 'Deployment');
  expect(spec.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } });
  const pod = spec.template.spec;
  expect(pod.automountServiceAccountToken).toBe(false);
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  expect(pod.containers.map(({ securityContext }: { readonly securityContext: object }) => securityContext)).toEqual([
    { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
  ]);
});

test('what Kubernetes tells pods of the Service, in variables with its name, is no setting of the router', () => {
  const all = parseAllDocuments(MANIFESTS).map((document) => document.toJS());
  const [deployment, service] = ['Deployment', 'Service'].map((kind) => all.find((one) => one.kind === kind));
  const name = String(service.metadata.name).toUpperCase().replaceAll('-', '_');
  const told = [`${name}_PORT`, `${name}_SERVICE_HOST`, `${name}_SERVICE_PORT`];
  expect(told.filter((variable) => VARIABLES.includes(variable))).toEqual(['WAYBILL_PORT']);
  expect(deployment.spec.template.spec.enableServiceLinks).toBe(false);
});

interface ComposeService {
  readonly environment?: Readonly<Record<string, string>>;
  readonly build?: string;
  readonly image?: string;
  readonly volumes?: readonly string[];
}

test.each(['compose.yaml', 'compose.cluster.yaml'])(
  '%s names images with their versions, and runs routers without privileges',
  (file) => {
    const { services, volumes } = parse(readFileSync(join(ROOT, file), 'utf8'), { merge: true });
    const all: Readonly<Record<string, ComposeService>> = services;
    const foreign = Object.values(all).filter(({ build }) => build === undefined);
    for (const { image } of foreign) expect(image).toMatch(/^[a-z]+:\d+\.\d+/);
    const routers = Object.values(all).filter(({ build }) => build !== undefined);
    expect(routers.length).toBeGreaterThan(0);
    for (const router of routers)
      expect(router).toMatchObject({
        build: '.',
        read_only: true,
        cap_drop: ['ALL'],
        stop_grace_period: '15s',
        tmpfs: ['/tmp'],
      });
    const mounted = Object.values(all)
      .flatMap((service) => service.volumes ?? [])
      .map((volume) => volume.split(':')[0]);
    expect(new Set(mounted)).toEqual(new Set(Object.keys(volumes)));
  },
);

test('the routers of the cluster ask its database as that answers: its image has no certificate', () => {
  const { services } = parse(readFileSync(join(ROOT, 'compose.cluster.yaml'), 'utf8'), { merge: true });
  const all: Readonly<Record<string, ComposeService>> = services;
  const places = Object.values(all).flatMap(({ environment }) => environment?.['WAYBILL_STORAGE'] ?? []);
  expect(places).toHaveLength(3);
  for (const place of places) {
    const { hosts } = readAddress(place.replaceAll(/\$\{\w+:-(\w+)\}/g, '$1'));
    expect(hosts.map(({ host, ssl }) => [host, ssl])).toEqual([
      ['primary', undefined],
      ['standby', undefined],
    ]);
  }
});

/** How a start keeps memory small, and where that is said; `npm run serve` is no place for variables. */
const MEMORY: readonly [what: RegExp, files: readonly string[]][] = [
  [/--max-semi-space-size=\d+/g, ['docs/operating.md', 'Dockerfile', 'deploy/systemd/waybill.service', 'package.json']],
  [/\bMALLOC_ARENA_MAX=\d+/g, ['docs/operating.md', 'Dockerfile', 'deploy/systemd/waybill.service']],
];

/** Those that say something else than the first, or nothing. */
function deviating(what: RegExp, texts: readonly string[]): readonly string[] {
  const [usual, ...others] = texts.map((text) => [...new Set(text.match(what))]);
  return texts.slice(1).filter((_, index) => usual?.length !== 1 || others[index]?.join(' ') !== usual[0]);
}

test.each(MEMORY)('whatever starts a router keeps its memory as small as the page says: %s', (what, files) => {
  const texts = files.map((file) => readFileSync(join(ROOT, file), 'utf8'));
  expect(deviating(what, texts)).toEqual([]);
});

test('a start that keeps memory less small, or says nothing of it, is found', () => {
  const starts = ['node --max-semi-space-size=16', 'node main.ts', 'NODE_OPTIONS=--max-semi-space-size=8'];
  expect(deviating(/--max-semi-space-size=\d+/g, ['use `--max-semi-space-size=8`', ...starts])).toEqual(
    starts.slice(0, 2),
  );
  expect(deviating(/--max-semi-space-size=\d+/g, ['a page without', ...starts])).toEqual(starts);
});

test('systemd tries a router again for as long as its database or its port takes, and not one with an invalid setting', () => {
  const unit = readFileSync(UNIT, 'utf8');
  // By default it gives up after five starts within ten seconds.
  for (const line of ['StartLimitIntervalSec=0', 'Restart=on-failure', 'RestartPreventExitStatus=2'])
    expect(unit.split('\n')).toContain(line);
});

test.runIf(HAS_SYSTEMD)('the unit is valid, and exposes less than 2 of 10', () => {
  const security = spawnSync('systemd-analyze', ['security', '--offline=true', `--threshold=${EXPOSURE}`, UNIT], {
    encoding: 'utf8',
  });
  expect({ status: security.status, stderr: security.stderr }).toMatchObject({ status: 0 });
  const folder = mkdtempSync(join(tmpdir(), 'waybill-unit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // Only the command need not be installed here.
  const own = join(folder, 'waybill.service');
  const page = readFileSync(join(ROOT, 'docs/install.md'), 'utf8');
  const [, more = ''] = /```ini\n(\[Service\]\nLoadCredential=[^`]+)```/.exec(page) ?? [];
  expect(more).not.toBe('');
  writeFileSync(own, readFileSync(UNIT, 'utf8').replace('ExecStart=waybill', `ExecStart=/bin/true`) + more);
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', own], { encoding: 'utf8' });
  expect({ status: verified.status, said: verified.stderr }).toEqual({ status: 0, said: '' });
});
