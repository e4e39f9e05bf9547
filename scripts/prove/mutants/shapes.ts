import type { Mutant } from '../mutant.ts';

/** Of what destinations do with bodies before they are signed. */
export const SHAPES: readonly Mutant[] = [
  {
    rule: 'HOOK-16',
    file: 'server/shaping/shape.ts',
    find: "if (body['type'] === 'delete') return { body, undecided: false };",
    replace: '',
    breaks: 'the notice of a deleted user is shaped as any other body',
  },
  {
    rule: 'SAFE-2',
    file: 'server/shaping/shape.ts',
    find: 'const reduced = Object.entries(body).filter(([field]) => REDUCED.includes(field));',
    replace: 'const reduced = Object.entries(body);',
    breaks: 'a shape that cannot be decided lets the whole body out',
  },
  {
    rule: 'SAFE-2',
    file: 'server/shaping/shape.ts',
    find: 'spendOnJson(left, new Budget(OUTPUT_STEPS));',
    replace: '',
    breaks: 'a shape makes bodies of any size',
  },
  {
    rule: 'HOOK-27',
    file: 'server/shaping/shape.ts',
    find: "return onlyListed(body, operation.listed, budget, 'lists too');",
    replace: 'return body;',
    breaks: 'keep keeps everything',
  },
  {
    rule: 'HOOK-27',
    file: 'server/shaping/shape.ts',
    find: "return withoutListed(body, operation.listed, budget, 'lists too');",
    replace: 'return withoutListed(body, operation.listed, budget);',
    breaks: 'drop leaves what it names within lists',
  },
  {
    rule: 'HOOK-27',
    file: 'server/shaping/shape.ts',
    find: 'withoutPath(body, operation.from, budget)',
    replace: 'body',
    breaks: 'rename leaves the value under its old name',
  },
  {
    rule: 'HOOK-27',
    file: 'server/shaping/shape.ts',
    find: 'withValue(body, operation.path, value, budget)',
    replace: 'withValue(body, operation.path, String(value), budget)',
    breaks: 'set writes nothing but texts',
  },
  {
    rule: 'HOOK-27',
    file: 'server/shaping/shape.ts',
    find: 'applied(operation, now, budget), body);',
    replace: '({ ...now, ...applied(operation, body, budget) }), body);',
    breaks: 'an operation sees the body as it was before the others',
  },
  {
    rule: 'HOOK-27',
    file: 'server/delivery/courier.ts',
    find: 'requestTo(webhook, target, unsigned, policy.deadlineMs, signing);',
    replace:
      '{\n    ...requestTo(webhook, target, { ...unsigned, body: bytesOf(webhookBody(claim.message.event)) }, policy.deadlineMs),\n    body,\n  };',
    breaks: 'what is signed is the body before its shape',
  },
  {
    rule: 'HOOK-27',
    file: 'server/delivery/courier.ts',
    find: 'await shape?.({ ...body })',
    replace: 'await shape?.({ ...webhookBody(event) })',
    breaks: 'a shape lets out what a filter removes',
  },
  {
    rule: 'HOOK-27',
    file: 'server/resources/shape-preview.ts',
    find: 'return { output: JSON.stringify(body), undecided };',
    replace: 'return { output: JSON.stringify(whole), undecided };',
    breaks: 'a preview shows what is not sent',
  },
];
