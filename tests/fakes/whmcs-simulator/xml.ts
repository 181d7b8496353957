/** The response of api.php when the request does not select JSON. */
export function asXml(action: string, body: unknown): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n<whmcsapi version="8.13.1">\n${element("action", action)}${inner(body)}</whmcsapi>`
}

function inner(value: unknown): string {
  if (Array.isArray(value)) return value.map((it) => element("item", it)).join("")
  if (typeof value !== "object" || value === null) return escaped(String(value ?? ""))
  return Object.entries(value)
    .map(([name, held]) =>
      Array.isArray(held) ? held.map((it) => element(name, it)).join("") : element(name, held),
    )
    .join("")
}

function element(name: string, value: unknown): string {
  return `<${name}>${inner(value)}</${name}>\n`
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}
