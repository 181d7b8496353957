import type { IncomingMessage } from "node:http"
import pino from "pino"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { admission } from "./load-shedding.server"

const MAX = 10
const KEY = "a key of the operator's"
const session = { cookie: "browserLang=de-de; checkout=eyJ" }

const visitors = {
  newcomer: { url: "/checkout/" },
  "newcomer who has chosen a language": { url: "/checkout/", headers: { cookie: "browserLang=de-de" } },
  buyer: { url: "/checkout/waiting", headers: session },
  "buyer who orders": { url: "/checkout/creatingOrder", method: "POST", headers: session },
  "first form": { url: "/checkout/", method: "POST" },
  "other shop": { url: "/checkout/api/getPlans", headers: { "x-api-key": KEY } },
  "caller without a key": { url: "/checkout/api/getPlans", headers: { "x-api-key": "another" } },
  gateway: { url: "/checkout/api/payments/offshore/callback", method: "POST" },
  "file that is none": { url: "/checkout/icon-none.png" },
  "newcomer who asks for a page by a gateway's path": { url: "/checkout/api/payments/../../de-de/" },
  "newcomer who asks for it encoded": { url: "/checkout/api/payments/%2e%2e/%2E%2e/" },
  "newcomer who reads a gateway's path": { url: "/checkout/api/payments/offshore/callback" },
} as const satisfies Record<string, { url: string; method?: string; headers?: Record<string, string> }>

type Visitor = keyof typeof visitors

const newcomers: Visitor[] = [
  "newcomer",
  "newcomer who has chosen a language",
  "caller without a key",
  "file that is none",
  "newcomer who asks for a page by a gateway's path",
  "newcomer who asks for it encoded",
  "newcomer who reads a gateway's path",
]
const buyers: Visitor[] = ["buyer", "buyer who orders", "first form", "other shop"]
const allVisitors = Object.keys(visitors) as Visitor[]
const without = (...gone: Visitor[]) => allVisitors.filter((it) => !gone.includes(it))

let lines: Record<string, unknown>[] = []
beforeEach(() => {
  lines = []
  vi.useFakeTimers()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test.each([
  ["admits every class below the limit", MAX - 1, allVisitors],
  ["rejects new visitors at the limit", MAX, without(...newcomers)],
  ["rejects buyers at twice the limit", 2 * MAX, without(...newcomers, ...buyers)],
  ["rejects gateways at four times the limit", 4 * MAX, [] as Visitor[]],
])("%s", async (_, inFlight, isAdmitted) => {
  const { admits } = await opened(inFlight)
  expect(allVisitors.filter((it) => admits(incoming(it)))).toEqual(isAdmitted)
})

test("frees the place in flight when the work is done or has failed", async () => {
  const { admits, run } = await opened(MAX - 1)
  const work = Promise.withResolvers<string>()
  const failing = run(incoming("buyer"), () => work.promise)
  expect(admits(incoming("newcomer"))).toBe(false)
  work.reject(new Error("no"))
  await expect(failing).rejects.toThrow("no")
  expect(admits(incoming("newcomer"))).toBe(true)
})

test("under overload serves gateways first, then buyers, and rejects new visitors after the maximum wait", async () => {
  const { admits, run } = await opened(0)
  const started: string[] = []
  const by = async (visitor: Visitor) => {
    const missed = (error: unknown) => started.push(`no ${visitor}: ${error}`)
    await run(incoming(visitor), async () => started.push(visitor)).catch(missed)
  }
  await by("buyer")
  const busy = vi.spyOn(performance, "now")
  busy.mockReturnValue(1_000)
  for (const visitor of ["newcomer", "buyer", "gateway"] as const) void by(visitor)
  busy.mockReturnValue(6_500)
  expect([admits(incoming("newcomer")), admits(incoming("buyer"))]).toEqual([false, true])
  await vi.advanceTimersToNextTimerAsync()
  await vi.runAllTimersAsync()
  expect(started.filter((it) => !it.startsWith("no "))).toEqual(["buyer", "gateway", "buyer"])
  expect(started).toContainEqual(expect.stringMatching(/^no newcomer: QueueTimeoutError/))
})

test("an address whose callbacks are rejected loses the gateways' priority for a minute, and no other address does", async () => {
  const { admits, recordResponse } = await opened(MAX)
  const forged = incoming("gateway", "93.184.216.99")
  for (let nth = 0; nth < 4; nth++) recordResponse(forged, 401)
  expect(admits(forged)).toBe(true)
  recordResponse(forged, 429)
  expect([admits(forged), admits(incoming("gateway"))]).toEqual([false, true])
  vi.advanceTimersByTime(61_000)
  expect(admits(forged)).toBe(true)
})

test("an accepted callback restores the priority, and a 404 page does not lower it", async () => {
  const { admits, recordResponse } = await opened(MAX)
  for (let nth = 0; nth < 9; nth++) recordResponse(incoming("gateway"), 401)
  expect(admits(incoming("gateway"))).toBe(false)
  recordResponse(incoming("gateway"), 204)
  for (let nth = 0; nth < 9; nth++) recordResponse(incoming("newcomer"), 404)
  expect(admits(incoming("gateway"))).toBe(true)
})

test("a page that is asked for by a gateway's path forgives no rejected callback", async () => {
  const { admits, recordResponse } = await opened(MAX)
  for (let nth = 0; nth < 5; nth++) recordResponse(incoming("gateway"), 401)
  recordResponse(incoming("newcomer who asks for a page by a gateway's path"), 200)
  expect(admits(incoming("gateway"))).toBe(false)
})

test("logs the first rejection immediately, then one line every ten seconds with the count", async () => {
  const { admits } = await opened(MAX)
  for (let nth = 0; nth < 1_000; nth++) admits(incoming("newcomer"))
  expect(lines).toMatchObject([{ rejected: 1, inFlight: MAX }])
  vi.advanceTimersByTime(10_000)
  expect(lines).toMatchObject([{ rejected: 1 }, { rejected: 999 }])
  admits(incoming("buyer"))
  vi.advanceTimersByTime(60_000)
  expect(lines).toHaveLength(2)
})

/** Admission control with this many requests in flight that do not end. */
async function opened(inFlight: number) {
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const opened = admission({ maxConcurrent: MAX, isKey: (key) => key === KEY, log })
  for (let nth = 0; nth < inFlight; nth++) void opened.run(incoming("buyer"), () => new Promise(() => {}))
  await vi.advanceTimersByTimeAsync(1)
  return opened
}

function incoming(visitor: Visitor, address: string | null = "93.184.216.34") {
  const request: Partial<IncomingMessage> = { method: "GET", headers: {}, ...visitors[visitor] }
  return { incoming: request as IncomingMessage, address }
}
