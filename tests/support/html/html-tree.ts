import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5"

export type Element = Tree.Element

/** Parses a page as a browser without script does: `noscript` content is included. */
export function readHtml(html: string): Tree.Document {
  return parse(html, { scriptingEnabled: false })
}

/** Returns every descendant element that passes, in document order. */
export function elements(node: Tree.Node, passes: (element: Element) => boolean): Element[] {
  if (!("childNodes" in node)) return []
  return node.childNodes.flatMap((child) => {
    const found = "tagName" in child && passes(child) ? [child] : []
    return [...found, ...elements(child, passes)]
  })
}

/** Returns an attribute's value, "" if it has none; null if the attribute is missing. */
export function attribute(element: Element, name: string): string | null {
  return element.attrs.find((it) => it.name === name)?.value ?? null
}

const NOT_RENDERED = new Set(["script", "style", "template", "head"])

/** Returns the visible text with collapsed white space. */
export function textOf(node: Tree.Node): string {
  return textIn(node).replace(/\s+/g, " ").trim()
}

function textIn(node: Tree.Node): string {
  if ("value" in node) return node.value
  if (!("childNodes" in node) || NOT_RENDERED.has(node.nodeName)) return ""
  return node.childNodes.map(textIn).join(BLOCKS.has(node.nodeName) ? " " : "")
}

/** Block elements separate words even without white space; inline, `<b>1</b>st` is one word. */
const BLOCKS = new Set([
  "#document",
  "html",
  "body",
  "main",
  "section",
  "div",
  "form",
  "ul",
  "ol",
  "dl",
  "table",
  "tr",
])
