/** An id of a rule or decision, or a section of the specification: they are for who works on Waybill, and not for who uses it. */
const ID = String.raw`(?:(?:HOOK|CFG|ING|LIB|AUD|SAFE|NODE|[CD])-\d+|S ?\d+\.\d+|S \d+)`;
const IDS = `${ID}(?:, ${ID})*`;

/** In parentheses with nothing but ids; at the beginning of a comment, with its colon; or as all of a comment. */
const MENTIONS = [
  [new RegExp(String.raw`\s*\(${ID}(?:(?:[,;] |…| and )(?:${ID}|\d+(?:\.\d+)?))*\)`, 'g'), ''],
  [new RegExp(String.raw`((?:/\*\*|//|\*) )${IDS}: `, 'g'), '$1'],
  [new RegExp(String.raw`^\s*(?:/\*\* ${IDS}\.? \*/|// ${IDS}\.?)\n`, 'gm'), ''],
  [new RegExp(String.raw`(?:/\*\* ${IDS}\.? \*/|// ${IDS}\.?$)`, 'gm'), ''],
] as const;

/** Any mention at all, wherever it stands. */
export const ANY_RULE_ID = /\b(?:HOOK|CFG|ING|LIB|AUD|SAFE|NODE|[CD])-\d+\b|\bS ?\d+\.\d|§/;

/** The sources name rules in their comments; editors show those of a package to its users, without the ids. */
export function withoutRuleIds(text: string): string {
  return MENTIONS.reduce((rest, [mention, instead]) => rest.replaceAll(mention, instead), text);
}
