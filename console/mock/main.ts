import './platform/globals.ts';

const { startStandIn } = await import('./start.ts');
await startStandIn();
await import('../src/main.tsx');
