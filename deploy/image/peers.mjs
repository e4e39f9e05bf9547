// Prints the optional packages of the router as arguments of npm install, with the exact versions of this workspace.
import { readFileSync } from 'node:fs';

const read = (file) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
const versions = read('package.json').dependencies;
const peers = Object.keys(read('server/package.json').peerDependencies);
console.log(peers.map((name) => `${name}@${versions[name]}`).join(' '));
