import { randomInt } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { z } from "zod"
import type { ErrorResponse } from "~/billing-api/contract/error-codes"
import { BASE } from "~/domain/base-path"
import { type ErrorKind, statusOf } from "~/domain/error-kind"
import type { Brand } from "~/domain/shop/brand"
import { overloadPage } from "~/ssr/overload-page.server"

/** In seconds. Not the same for everybody: those who were turned away together must not come back together. */
const WAIT = { least: 5, most: 15 } as const

const failure: z.output<typeof ErrorResponse> = {
  result: "error",
  error: { code: "unavailable", message: "Server overloaded, retry later" },
}

const TEXT = "text/plain; charset=utf-8"

type Shop = { publicUrl: string; brand: Brand }
type Words = { type: string; text: string | Buffer }

/**
 * Answers those who cannot be taken on now: in words to people, in their own form to programs. It is done thousands of
 * times when there is no time left, so it reads neither body nor session, packs nothing, and has its pages ready.
 */
export function overloadResponder(shop: Shop) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse, nonce: string): Promise<void> => {
    const { type, text } = await wordsFor(incoming, { ...shop, nonce })
    const bytes = typeof text === "string" ? Buffer.from(text) : text
    outgoing.writeHead(statusOf.crowded, {
      "retry-after": String(randomInt(WAIT.least, WAIT.most + 1)),
      ...{ "content-type": type, "content-length": bytes.length },
      vary: "accept, accept-language, cookie",
    })
    outgoing.end(incoming.method === "HEAD" ? undefined : bytes)
  }
}

type Page = Shop & { nonce: string }

async function wordsFor({ url = "/", headers }: IncomingMessage, page: Page): Promise<Words> {
  const path = url.split("?", 1)[0] ?? "/"
  if (path.startsWith(`${BASE}/api/`)) return { type: "application/json", text: JSON.stringify(failure) }
  // Asked for by our own script, which has the words for a problem of this name.
  if (path.endsWith(".data")) return { type: TEXT, text: "crowded" satisfies ErrorKind }
  const request = visitorAt(path, headers, page.publicUrl)
  const { plain, page: html } = await overloadPage({ ...page, request })
  return headers.accept?.includes("text/html")
    ? { type: "text/html; charset=utf-8", text: html.bytes() }
    : { type: TEXT, text: plain }
}

/** What tells his language; what he asked for may be no address at all. */
function visitorAt(path: string, headers: IncomingMessage["headers"], publicUrl: string): Request {
  const { cookie = "", "accept-language": languages = "" } = headers
  const address = `${publicUrl}${path.startsWith("/") ? path : "/"}`
  return new Request(address, { headers: { cookie, "accept-language": languages } })
}
