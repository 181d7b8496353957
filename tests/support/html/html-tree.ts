import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5"

export type Element = Tree.Element

/** Reads a page as a browser without script does: what stands in `noscript` is part of it. */
export function readHtml(html: string): Tree.Document {
  return parse(html, { scriptingEnabled: false })
}

/** Every element below a node that passes, in the order of the page. */
export function elements(node: Tree.Node, passes: (element: Element) => boolean): Element[] {
  if (!("childNodes" in node)) return []
  return node.childNodes.flatMap((child) => {
    const here = "tagName" in child && passes(child) ? [child] : []
    return [...here, ...elements(child, passes)]
  })
}

/** An attribute's text, "" when it stands without a value; null when it is not there. */
export function attribute(element: Element, name: string): string | null {
  return element.attrs.find((it) => it.name === name)?.value ?? null
}

const UNSEEN = new Set(["script", "style", "template", "head"])

/** The words a reader sees, runs of space as one. */
export function textOf(node: Tree.Node): string {
  return textIn(node).replace(/\s+/g, " ").trim()
}

function textIn(node: Tree.Node): string {
  if ("value" in node) return node.value
  if (!("childNodes" in node) || UNSEEN.has(node.nodeName)) return ""
  return node.childNodes.map(textIn).join(BLOCKS.has(node.nodeName) ? " " : "")
}

/** Elements whose parts stand apart even where no space does; elsewhere `<b>1</b>st` is one word. */
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
