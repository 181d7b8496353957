import type { IncomingMessage } from "node:http"
import type { Inside } from "./start"

/**
 * The admin area for other processes, under `/_staff`: `POST /_staff/markPaid?invoice=3` and every other staff
 * operation, `POST /_staff/quirks` with some quirks as JSON (and `dropResponse`, an action's name), `GET /_staff/calls`
 * and `GET /_staff/state`. Null: not a page of this area.
 */
export function staffPages({ installation, staff, calls }: Inside) {
  const operations: ReadonlyMap<string, (id: string) => void> = new Map(Object.entries(staff))
  const pages: Record<string, (body: string) => unknown> = {
    "GET calls": () => calls,
    "GET state": () => installation.state,
    "POST quirks": (body) => changed(installation.quirks, JSON.parse(body)),
  }
  return (request: IncomingMessage, body: string): unknown => {
    const url = new URL(request.url ?? "/", "http://whmcs.example.test")
    const [, name] = /^\/_staff\/(\w+)$/.exec(url.pathname) ?? []
    if (!name) return null
    const [id = ""] = url.searchParams.values()
    const page = pages[`${request.method} ${name}`] ?? (() => done(operations.get(name), id))
    return page(body)
  }
}

function changed(
  quirks: Inside["installation"]["quirks"],
  { dropResponse, ...rest }: Record<string, unknown>,
): { result: string } {
  Object.assign(quirks, rest)
  if (typeof dropResponse === "string") quirks.dropResponse(dropResponse)
  return { result: "success" }
}

/** Returns the result that staff would see: success or the reason for the failure. */
function done(operation: ((id: string) => void) | undefined, id: string) {
  if (!operation) return { result: "error", message: "Unknown page" }
  try {
    operation(id)
    return { result: "success" }
  } catch (error) {
    return { result: "error", message: error instanceof Error ? error.message : String(error) }
  }
}
