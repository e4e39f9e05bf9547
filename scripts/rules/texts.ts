import ts from 'typescript';

/** The texts in a file that hold a pattern, each with its line. Comments may: they are for who works on the project. */
export function textsWith(pattern: RegExp, file: string, code: string): string[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isText(node) && pattern.test(node.text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push(`${file}:${line + 1}: ${node.text.slice(0, 200)}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** A literal, or what a template holds between its values. */
function isText(node: ts.Node): node is ts.LiteralLikeNode {
  return ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
}
