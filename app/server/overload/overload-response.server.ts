import { randomInt } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { z } from "zod"
import type { ErrorResponse } from "~/billing-api/contract/error-codes"
import { BASE } from "~/domain/base-path"
import { type ErrorKind, statusOf } from "~/domain/error-kind"
import type { Brand, Logo } from "~/domain/shop/brand"
import { overloadPage } from "~/ssr/overload-page.server"

/** Retry-After in seconds, drawn at random: clients that were rejected together must not return together. */
const WAIT = { min: 5, max: 15 } as const

const failure: z.output<typeof ErrorResponse> = {
  result: "error",
  error: { code: "unavailable", message: "Server overloaded, retry later" },
}

const TEXT = "text/plain; charset=utf-8"

/** `brand` changes while the shop runs. */
type Shop = {
  readonly publicUrl: string
  readonly brand: Brand
  readonly logo: Logo | null
  readonly brandVersion: number
}
type ResponseText = { type: string; text: string | Buffer }

/**
 * Sends 503 with Retry-After: an HTML page or plain text to browsers, JSON to API clients. It runs thousands of times
 * under overload, so it reads neither body nor session, compresses nothing, and uses prepared pages.
 */
export function overloadResponder(shop: Shop) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse, nonce: string): Promise<void> => {
    const { type, text } = await responseTextFor(incoming, { ...brandOf(shop), nonce })
    const bytes = typeof text === "string" ? Buffer.from(text) : text
    outgoing.writeHead(statusOf.crowded, {
      "retry-after": String(randomInt(WAIT.min, WAIT.max + 1)),
      "content-type": type,
      "content-length": bytes.length,
      vary: "accept, accept-language, cookie",
    })
    outgoing.end(incoming.method === "HEAD" ? undefined : bytes)
  }
}

/** Of the shop's settings only what the page shows: this runs thousands of times. */
function brandOf({ publicUrl, brand, logo, brandVersion }: Shop): Shop {
  return { publicUrl, brand, logo, brandVersion }
}

type Page = Shop & { nonce: string }

async function responseTextFor({ url = "/", headers }: IncomingMessage, page: Page): Promise<ResponseText> {
  const path = url.split("?", 1)[0] ?? "/"
  if (path.startsWith(`${BASE}/api/`)) return { type: "application/json", text: JSON.stringify(failure) }
  // Requested by the client script, which translates this error kind.
  if (path.endsWith(".data")) return { type: TEXT, text: "crowded" satisfies ErrorKind }
  const request = visitorAt(path, headers, page.publicUrl)
  const { plain, page: html } = await overloadPage({ ...page, request })
  return headers.accept?.includes("text/html")
    ? { type: "text/html; charset=utf-8", text: html.bytes() }
    : { type: TEXT, text: plain }
}

/** Holds what the locale is detected from. The request's target may be no valid path. */
function visitorAt(path: string, headers: IncomingMessage["headers"], publicUrl: string): Request {
  const { cookie = "", "accept-language": languages = "" } = headers
  const address = `${publicUrl}${path.startsWith("/") ? path : "/"}`
  return new Request(address, { headers: { cookie, "accept-language": languages } })
}
