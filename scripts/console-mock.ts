/** `npm run console:mock`: the console without a router, in worlds of its own; `-- --port=8090` chooses the port. */
import { parseArgs } from 'node:util';
import { WORLDS } from '../console/mock/world-names.ts';
import { serveMock } from './console/serve-mock.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '8088' } } });
const { url } = await serveMock(Number(values.port));
console.log(`The console, without a router:\n${WORLDS.map((name) => `  ${url}/console/?world=${name}`).join('\n')}`);
