import { readFileSync } from "node:fs"
import ts from "typescript"

/** A literal text in a component that a screen shows or a screen reader reads. */
export type HardcodedText = { readonly line: number; readonly text: string }

/** Attributes and properties of components whose text is displayed or read by a screen reader. */
const READ = new Set([
  "aria-label",
  "aria-description",
  "aria-roledescription",
  "aria-valuetext",
  "aria-placeholder",
  "title",
  "alt",
  "placeholder",
  "label",
  "heading",
  "lead",
  "note",
  "text",
  "summary",
  "children",
])

/** Two letters in a row. Symbols, units and example device addresses have fewer and need no translation. */
const WORD = /\p{L}{2}/u

/**
 * Untranslated texts of a .tsx file: text between tags, string literals in JSX expressions, and texts of displayed
 * attributes.
 */
export function hardcodedTextIn(file: string): HardcodedText[] {
  return textRenderedBy(readFileSync(file, "utf8"), file)
}

export function textRenderedBy(text: string, file = "screen.tsx"): HardcodedText[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TSX)
  const messages: HardcodedText[] = []
  visit(source)
  return messages

  function visit(node: ts.Node): void {
    for (const text of textsAt(node)) if (WORD.test(text)) note(node, text)
    ts.forEachChild(node, visit)
  }

  function note(node: ts.Node, text: string) {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    messages.push({ line: line + 1, text: text.trim().replace(/\s+/g, " ") })
  }
}

function textsAt(node: ts.Node): string[] {
  if (ts.isJsxText(node)) return [node.text.replace(/&#?\w+;/g, " ")]
  if (ts.isJsxAttribute(node)) return READ.has(node.name.getText()) ? textsOf(node.initializer) : []
  const isBetweenTags = ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)
  return isBetweenTags ? textsOf(node.expression) : []
}

/** String literals that an expression can evaluate to. Arguments of a call do not count: `t("…")` takes a key. */
function textsOf(node: ts.Node | undefined): string[] {
  if (!node) return []
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isTemplateExpression(node)) return partsOf(node)
  return outcomesOf(node).flatMap(textsOf)
}

/** Subexpressions whose value the whole expression can have. The operands of a comparison are not among them. */
function outcomesOf(node: ts.Node): (ts.Node | undefined)[] {
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse]
  if (ts.isBinaryExpression(node)) return HANDS_ON.has(node.operatorToken.kind) ? [node.left, node.right] : []
  const isWrapped = ts.isParenthesizedExpression(node) || ts.isJsxExpression(node) || ts.isAsExpression(node)
  return isWrapped ? [node.expression] : []
}

/** Operators whose result is one of their operands, or the concatenation of both. */
const HANDS_ON = new Set([
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
])

function partsOf({ head, templateSpans }: ts.TemplateExpression): string[] {
  const inPlaceholders = templateSpans.flatMap(({ expression }) => textsOf(expression))
  return [head.text, ...templateSpans.map(({ literal }) => literal.text), ...inPlaceholders]
}
