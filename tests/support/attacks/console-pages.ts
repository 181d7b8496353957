import config from "~/routes"
import type { Browser } from "../browser/no-script-browser"
import { formsIn, type Submission } from "../html/html-form"
import type { HtmlPage } from "../html/html-page"
import { attribute, elements, readHtml } from "../html/html-tree"

const CONSOLE = "/checkout/admin"

/** Every page and file of the console that a signed-in browser reaches by links, by path. */
export type ConsolePages = ReadonlyMap<string, HtmlPage>

/** Follows the links of the console from its first page on, and from others. A path is visited once, whatever its query. */
export async function reachablePages(
  browser: Browser,
  origin: string,
  others: readonly string[] = [],
): Promise<ConsolePages> {
  const pages = new Map<string, HtmlPage>()
  const waiting = [CONSOLE, ...others.map((path) => `${CONSOLE}${path}`)]
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (pages.has(path)) continue
    const page = await browser.visit(origin + path)
    pages.set(path, page)
    waiting.push(...linkedPaths(page, origin))
  }
  return pages
}

function linkedPaths({ body, url, headers }: HtmlPage, origin: string): string[] {
  if (!headers.get("content-type")?.startsWith("text/html")) return []
  return elements(readHtml(body), ({ tagName }) => tagName === "a")
    .map((it) => new URL(attribute(it, "href") ?? "", url))
    .filter(
      (to) => to.origin === origin && (to.pathname === CONSOLE || to.pathname.startsWith(`${CONSOLE}/`)),
    )
    .map(({ pathname }) => pathname)
}

type Route = Awaited<typeof config>[number]

/** Patterns of every address of the console, from the table of routes. */
export async function consolePatterns(): Promise<string[]> {
  const patternsIn = (route: Route): string[] => [
    ...(route.path?.startsWith("admin") ? [`/checkout/${route.path}`] : []),
    ...(route.children ?? []).flatMap(patternsIn),
  ]
  return (await config).flatMap(patternsIn).filter((it) => !it.endsWith("*"))
}

/** Whether a path is one of a pattern. */
export function isOfPattern(path: string, pattern: string): boolean {
  return new RegExp(`^${pattern.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+")}$`).test(path)
}

/** A form of the console as a browser would post it. */
export type PostedForm = Pick<Submission, "entries"> & { readonly path: string; readonly name: string }

/** Every form of the pages that changes something, as its button that saves posts it: a preview saves nothing. */
export function postedForms(pages: ConsolePages): PostedForm[] {
  return [...pages.values()].flatMap(({ body, url }) =>
    formsIn(readHtml(body)).flatMap((form) => {
      const { action, method, entries: pressed } = form.submission(form.button({}), {})
      if (method !== "post") return []
      const entries = pressed.filter(([name]) => name !== "preview")
      const path = new URL(action || url, url).pathname
      return [{ path, entries, name: `${path} ${nameIn(entries)}` }]
    }),
  )
}

function nameIn(entries: Submission["entries"]): string {
  return entries.find(([name]) => name === "action" || name === "intent")?.[1] ?? ""
}
