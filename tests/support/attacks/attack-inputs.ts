import { expect, test } from "playwright/test"
import { processorSeconds } from "../../performance/bench/cpu-time"
import type { RawResponse } from "../http/raw-request"
import type { TestServer } from "../server/server-process"

/** Paths of pages. */
export const screens = [
  "/",
  "/creatingOrder",
  "/waiting",
  "/success",
  "/upsell",
  "/resellers",
  "/resellers/waiting",
  "/resellers/success",
  "/withdraw",
].map((path) => `/checkout${path}`)

/** Paths of resource routes. */
export const resources = [
  "/api/health",
  "/api/live",
  "/api/order-status",
  "/api/openapi.json",
  "/api/getProducts",
  "/aff/new_click",
  "/api/payments/offshore/callback",
  "/success/playlist.m3u8",
  "/manifest.webmanifest",
  "/offline",
].map((path) => `/checkout${path}`)

/** Every query parameter that some page reads. */
export const parameters = [
  "promocode",
  "email",
  "pid",
  "extraconnect",
  "proxyprotect",
  "auto_redirect",
  "aff_id",
  "serviceid",
  "expires",
  "signature",
  "resume",
  "signin",
  "signout",
  "returned",
  "edit",
  "gateway",
  "abort",
  "quantity",
  "existing",
  "done",
  "recreate",
  "line",
  "key",
  "redirect",
  "next",
  "url",
  "return_to",
]

/** Content that no response may contain: file paths, versions and stack traces. */
const INSIDES =
  /\bat (async )?[\w.<>]+ \(|node_modules|node:internal|\.server\.(ts|js)|SQLITE_|SqliteError|kysely|ZodError|TypeError|ReferenceError/

/** Returns what is wrong with a response to hostile input, or null. */
export function findViolation({ status, body }: Pick<RawResponse, "status" | "body">): string | null {
  if (status >= 500) return `status ${status}`
  return showsInsides(body)
}

/** Returns internals that an error page reveals, or null; also for server errors. */
export function showsInsides(body: string): string | null {
  const [shown] = INSIDES.exec(body) ?? []
  return shown === undefined ? null : `shows ${shown}`
}

/** Counts hostile inputs and their effects: the number is printed, and there must be no effect. */
export function tally(what: string) {
  let tried = 0
  const violations: string[] = []
  return {
    count(input: string, wrong: string | null) {
      tried++
      if (wrong !== null) violations.push(`${input.slice(0, 200)}: ${wrong}`)
    },
    conclude() {
      const text = `${what}: hostile inputs tried: ${tried}, violations: ${violations.length}`
      test.info().annotations.push({ type: "hostile", description: text })
      process.stdout.write(`${text}\n`)
      expect(violations).toEqual([])
      expect(tried).toBeGreaterThan(0)
    },
  }
}

/** Returns the Cartesian product. */
export function everyOf<A, B, C = undefined>(
  first: readonly A[],
  second: readonly B[],
  third: readonly C[] = [undefined as C],
): [A, B, C][] {
  return first.flatMap((a) => second.flatMap((b) => third.map((c): [A, B, C] => [a, b, c])))
}

/**
 * Sends a request and returns what is wrong with the response; also one for which the shop works for more than ten seconds, which
 * other requests would wait for. It is processor time, which a busy machine does not lengthen.
 */
export async function failuresWithin10s(
  shop: Pick<TestServer, "pid">,
  call: () => Promise<RawResponse>,
): Promise<string | null> {
  const worked = () => processorSeconds(shop.pid() ?? 0)
  const start = worked()
  const response = await call()
  const took = worked() - start
  return findViolation(response) ?? (took > 10 ? `takes ${took} s of processor time` : null)
}

/** Host to which no response may redirect. */
export const evil = "evil.test"
/** Ways to write an external URL. */
export const elsewhere = [
  `//${evil}`,
  `https://${evil}`,
  `https:${evil}`,
  `\\\\${evil}`,
  `/\\${evil}`,
  `//${evil}/%2e%2e`,
  "javascript:alert(1)",
  "data:text/html,x",
  `//shop@${evil}`,
  `/%09/${evil}`,
  `%2f%2f${evil}`,
  `/%5c${evil}`,
  `http://127.0.0.1@${evil}/`,
]

/** Whether a response redirects away from the shop and its gateway. */
export function leadsAway(
  { headers }: Pick<RawResponse, "headers">,
  shop: Pick<TestServer, "url" | "sandboxUrl">,
): string | null {
  const { location, refresh } = headers
  if (refresh !== undefined) return `refresh ${refresh}`
  if (location === undefined) return null
  // Browsers treat a backslash like a slash.
  const { origin } = new URL(location.replaceAll("\\", "/"), shop.url)
  return [shop.url, shop.sandboxUrl].includes(origin) ? null : `leads to ${location}`
}
