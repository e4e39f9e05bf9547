import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = globSync('{src,receiver/src}/**/*.{ts,tsx}', { cwd: ROOT });

/**
 * The effect of an early render that runs again after each one: a listener is missing or stale between two renders, and a
 * timer begins anew whenever the page shows something else. What changes is read by `useEffectEvent` instead.
 */
function repeated(source: string): readonly string[] {
  return (source.match(/use(?:Layout)?Effect\(\(\) => \{[^]*?^ {2}\}(?:, \[[^\]]*\])?\);$/gm) ?? []).filter(
    (effect) => /addEventListener|setTimeout|setInterval/.test(effect) && effect.endsWith('\n  });'),
  );
}

test('no effect listens or waits anew after each render', () => {
  expect(SOURCES.length).toBeGreaterThan(100);
  expect(SOURCES.flatMap((path) => repeated(readFileSync(`${ROOT}/${path}`, 'utf8')))).toEqual([]);
});

test.each(["document.addEventListener('keydown', press);", 'const timer = setTimeout(settle, 400);'])(
  'an effect that does is found: %s',
  (line) => {
    const effect = `function useIt() {\n  useEffect(() => {\n    ${line}\n    return () => {};\n  }`;
    expect(repeated(`${effect});\n}\n`)).toHaveLength(1);
    expect(repeated(`${effect}, []);\n}\n`)).toEqual([]);
  },
);
