import { readFileSync } from "node:fs"
import ts from "typescript"

/** A text in a component that a person would read or hear. */
export type HardcodedText = { readonly line: number; readonly text: string }

/** Attributes and properties of components whose text is read out or shown. */
const READ = new Set([
  ...["aria-label", "aria-description", "aria-roledescription", "aria-valuetext", "aria-placeholder"],
  ...["title", "alt", "placeholder", "label", "heading", "lead", "note", "text", "summary", "children"],
])

/** Two letters in a row: a sign, a measure or an example of a device address is no word. */
const WORD = /\p{L}{2}/u

/** What a .tsx file has to say in a fixed language: text between tags, texts put in there, attributes that are read. */
export function hardcodedTextIn(file: string): HardcodedText[] {
  return textRenderedBy(readFileSync(file, "utf8"), file)
}

export function textRenderedBy(text: string, file = "screen.tsx"): HardcodedText[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TSX)
  const spoken: HardcodedText[] = []
  visit(source)
  return spoken

  function visit(node: ts.Node): void {
    for (const text of textsAt(node)) if (WORD.test(text)) note(node, text)
    ts.forEachChild(node, visit)
  }

  function note(node: ts.Node, text: string) {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    spoken.push({ line: line + 1, text: text.trim().replace(/\s+/g, " ") })
  }
}

function textsAt(node: ts.Node): string[] {
  if (ts.isJsxText(node)) return [node.text.replace(/&#?\w+;/g, " ")]
  if (ts.isJsxAttribute(node)) return READ.has(node.name.getText()) ? textsOf(node.initializer) : []
  const isBetweenTags = ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)
  return isBetweenTags ? textsOf(node.expression) : []
}

/** The fixed parts of what an expression can come to. Not those of a call: `t("…")` names a text, it is none. */
function textsOf(node: ts.Node | undefined): string[] {
  if (!node) return []
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isTemplateExpression(node)) return partsOf(node)
  return outcomesOf(node).flatMap(textsOf)
}

/** What stands for the whole expression; of `a === "b"` nobody reads anything. */
function outcomesOf(node: ts.Node): (ts.Node | undefined)[] {
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse]
  if (ts.isBinaryExpression(node)) return HANDS_ON.has(node.operatorToken.kind) ? [node.left, node.right] : []
  const isWrapped = ts.isParenthesizedExpression(node) || ts.isJsxExpression(node) || ts.isAsExpression(node)
  return isWrapped ? [node.expression] : []
}

/** Operators whose outcome is one of their sides, or both in a row. */
const HANDS_ON = new Set([
  ...[ts.SyntaxKind.PlusToken, ts.SyntaxKind.BarBarToken],
  ...[ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.AmpersandAmpersandToken],
])

function partsOf({ head, templateSpans }: ts.TemplateExpression): string[] {
  const inPlaceholders = templateSpans.flatMap(({ expression }) => textsOf(expression))
  return [head.text, ...templateSpans.map(({ literal }) => literal.text), ...inPlaceholders]
}
