import { attribute, elements, readHtml, textOf } from "./html-tree"

/** What a page says aloud about mistakes, each in the words beside its field. */
export function alertsIn(body: string): string[] {
  return elements(readHtml(body), (it) => attribute(it, "role") === "alert").map(textOf)
}

/** The fields a page marks as wrong, each with the words that explain it (by `aria-describedby`). */
export function invalidFieldsIn(body: string): Record<string, string> {
  const document = readHtml(body)
  const marked = elements(document, (it) => attribute(it, "aria-invalid") === "true")
  return Object.fromEntries(
    marked.map((field) => {
      const id = attribute(field, "aria-describedby")
      const [element] = elements(document, (it) => attribute(it, "id") === id)
      return [attribute(field, "name") ?? "", element ? textOf(element) : ""]
    }),
  )
}
