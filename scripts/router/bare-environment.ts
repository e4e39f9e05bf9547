/**
 * The environment of a process of the project that a test starts: settings of whoever runs the tests do not reach it. Code
 * that the tests have compiled before does (vitest.config.ts).
 */
export function bareEnvironment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE, ...more };
}
