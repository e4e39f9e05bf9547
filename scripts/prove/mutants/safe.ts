import type { Mutant } from '../mutant.ts';

export const SAFE: readonly Mutant[] = [
  {
    rule: 'SAFE-2',
    file: 'server/evaluation/budget.ts',
    find: 'if (this.#left < 0) throw new OverBudget();',
    replace: '',
    breaks: 'an evaluation has no budget',
  },
  {
    rule: 'SAFE-2',
    file: 'server/evaluation/turns.ts',
    find: 'if (used < most) return undefined;',
    replace: 'if (used >= 0) return undefined;',
    breaks: 'a batch of slow events takes one turn of the event loop',
  },
  {
    rule: 'SAFE-2',
    file: 'server/fql/glob.ts',
    find: 'budget.spend(steps);',
    replace: '',
    breaks: 'comparing a pattern again and again costs nothing',
  },
  {
    rule: 'SAFE-3',
    file: 'server/main.ts',
    find: 'process.umask(PRIVATE_UMASK);',
    replace: '',
    breaks: 'files of the router begin as the umask of its user has it',
  },
  {
    rule: 'SAFE-3',
    file: 'server/store/private-files.ts',
    find: 'for (const place of open) tighten(place);',
    replace: '',
    breaks: 'a start leaves files that others can read',
  },
  {
    rule: 'SAFE-3',
    file: 'server/config-api/redaction.ts',
    find: 'if (canWrite(caller.token)) return answer;',
    replace: 'if (caller.token.hash.length > 0) return answer;',
    breaks: 'a token that may only read sees secrets',
  },
  {
    rule: 'SAFE-3',
    file: 'server/delivery/secret-mask.ts',
    find: 'secretsOf(target).flatMap(patternsOf)',
    replace: 'secretsOf(target).flatMap((secret) => patternsOf(secret).slice(0, 1))',
    breaks: 'an echoed secret is masked in one encoding alone',
  },
  {
    rule: 'SAFE-3',
    file: 'server/delivery/secret-mask.ts',
    find: 'return URL.parse(url)?.origin ?? MASK;',
    replace: 'return url;',
    breaks: 'the log shows the path of a webhook',
  },
];
