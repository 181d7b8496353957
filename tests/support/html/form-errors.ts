import { attribute, elements, readHtml, textOf } from "./html-tree"

/** Returns the alert texts of a page, each with its field. */
export function alertsIn(body: string): string[] {
  return elements(readHtml(body), (it) => attribute(it, "role") === "alert").map(textOf)
}

/** Returns the invalid fields of a page with their descriptions (`aria-describedby`). */
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
