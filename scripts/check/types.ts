/**
 * What checks types: the checker that the linter brings with it has read all sources for its rules already. The compiler of the
 * packages (decisions/002) is asked where they are built.
 */
export const TYPES_AND_LINT = ['oxlint', '--type-aware', '--type-check'];

/** The rules of the linter are for what people write; types are for all. */
const OF_GENERATED = ['-c', 'scripts/check/generated.oxlintrc.json', 'generated/runtime'];
export const TYPES_OF_GENERATED = [...TYPES_AND_LINT, ...OF_GENERATED];
