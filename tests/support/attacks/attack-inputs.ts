import { expect, test } from "playwright/test"
import type { RawResponse } from "../http/raw-request"
import type { TestServer } from "../server/server-process"

/** Where people come to. */
export const screens = [
  ...["/", "/creatingOrder", "/waiting", "/success", "/upsell"],
  ...["/resellers", "/resellers/waiting", "/resellers/success"],
].map((path) => `/checkout${path}`)

/** Where programs come to. */
export const resources = [
  ...["/api/health", "/api/order-status", "/api/openapi.json", "/api/getProducts", "/aff/new_click"],
  ...["/api/payments/offshore/callback", "/success/playlist.m3u8", "/manifest.webmanifest", "/offline"],
].map((path) => `/checkout${path}`)

/** Every name that some page reads from a query. */
export const parameters = [
  ...["promocode", "email", "pid", "extraconnect", "proxyprotect", "auto_redirect", "aff_id", "serviceid"],
  ...["expires", "signature", "resume", "signin", "signout", "returned", "edit", "gateway", "abort"],
  ...["quantity", "existing", "done", "recreate", "line", "key", "redirect", "next", "url", "return_to"],
]

/** What no answer may show: where a program of ours is, what it runs on, or how it failed. */
const INSIDES =
  /\bat (async )?[\w.<>]+ \(|node_modules|node:internal|\.server\.(ts|js)|SQLITE_|SqliteError|kysely|ZodError|TypeError|ReferenceError/

/** What is wrong with an answer to hostile input; null when nothing is. */
export function findViolation({ status, body }: Pick<RawResponse, "status" | "body">): string | null {
  if (status >= 500) return `status ${status}`
  return showsInsides(body)
}

/** For pages that fail for a reason of ours: they, too, keep it to themselves. */
export function showsInsides(body: string): string | null {
  const [shown] = INSIDES.exec(body) ?? []
  return shown === undefined ? null : `shows ${shown}`
}

/** Counts hostile inputs, and what they have done: the number is printed, and nothing may have been done. */
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

/** Every combination of one of each. */
export function everyOf<A, B, C = undefined>(
  first: readonly A[],
  second: readonly B[],
  third: readonly C[] = [undefined as C],
): [A, B, C][] {
  return first.flatMap((a) => second.flatMap((b) => third.map((c): [A, B, C] => [a, b, c])))
}

/** Asks, and says what is wrong with the answer; one that takes longer than 2 s holds everybody else up. */
export async function failuresWithin10s(call: () => Promise<RawResponse>): Promise<string | null> {
  const start = performance.now()
  const response = await call()
  const took = Math.round(performance.now() - start)
  return findViolation(response) ?? (took > 10_000 ? `takes ${took} ms` : null)
}

/** Where no answer may lead. */
export const evil = "evil.test"
/** Ways of writing an address elsewhere. */
export const elsewhere = [
  ...[`//${evil}`, `https://${evil}`, `https:${evil}`, `\\\\${evil}`, `/\\${evil}`, `//${evil}/%2e%2e`],
  ...[
    "javascript:alert(1)",
    "data:text/html,x",
    `//shop@${evil}`,
    `/%09/${evil}`,
    `%2f%2f${evil}`,
    `/%5c${evil}`,
  ],
  `http://127.0.0.1@${evil}/`,
]

/** Whether an answer leads away from the shop and its gateway. */
export function leadsAway(
  { headers }: Pick<RawResponse, "headers">,
  shop: Pick<TestServer, "url" | "sandboxUrl">,
): string | null {
  const { location, refresh } = headers
  if (refresh !== undefined) return `refresh ${refresh}`
  if (location === undefined) return null
  // Browsers read a backslash as a slash.
  const { origin } = new URL(location.replaceAll("\\", "/"), shop.url)
  return [shop.url, shop.sandboxUrl].includes(origin) ? null : `leads to ${location}`
}
