import { startConfigApi, TOKEN } from '../../../server/tests/support/config-api.ts';
import { type CommandLine, connectedTo, objectsIn } from './command-line.ts';
import { SEGMENT_TOKEN, startSegmentService } from './segment-service.ts';

/** Somebody who imports from the service into a router of its own. */
export async function leaving(sourceCount: number) {
  const service = await startSegmentService(sourceCount);
  const api = await startConfigApi();
  const waybill: CommandLine = connectedTo(api.url, TOKEN, { env: { SEGMENT_TOKEN } });
  const importing = (...more: readonly string[]) => waybill('import', 'segment', '--from', service.url, ...more);
  return { service, api, waybill, importing };
}

/** What an import told, without its notes. */
export function stepsIn(output: string): string[] {
  const steps = objectsIn(output).filter(({ action }) => action !== 'note');
  return steps.map(({ action, kind, name }) => `${String(action)} ${String(kind)} ${String(name)}`);
}

/** The configuration of a workspace, without its first line, which says where the schema is. */
export async function exported(url: string, workspace = 'main'): Promise<string> {
  const { status, stdout, stderr } = await connectedTo(url, TOKEN)('export', '--workspace', workspace);
  if (status !== 0) throw new Error(stderr);
  return stdout.slice(stdout.indexOf('\n'));
}
