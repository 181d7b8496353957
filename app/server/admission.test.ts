import type { IncomingMessage } from "node:http"
import pino from "pino"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { admission } from "./admission.server"

const MOST = 10
const session = { cookie: "browserLang=de-de; checkout=eyJ" }

const visitors = {
  newcomer: { url: "/checkout/" },
  "newcomer who has chosen a language": { url: "/checkout/", headers: { cookie: "browserLang=de-de" } },
  buyer: { url: "/checkout/waiting", headers: session },
  "buyer who orders": { url: "/checkout/creatingOrder", method: "POST", headers: session },
  "first form": { url: "/checkout/", method: "POST" },
  "other shop": { url: "/checkout/api/getPlans" },
  gateway: { url: "/checkout/api/payments/offshore/callback", method: "POST" },
  "load balancer": { url: "/checkout/api/health?from=here" },
  file: { url: "/checkout/assets/root-x1.js" },
  icon: { url: "/checkout/apple-touch-icon.png" },
} as const satisfies Record<string, { url: string; method?: string; headers?: { cookie: string } }>

type Visitor = keyof typeof visitors

const newcomers: Visitor[] = ["newcomer", "newcomer who has chosen a language"]
const buyers: Visitor[] = ["buyer", "buyer who orders", "first form", "other shop"]
const everybody = Object.keys(visitors) as Visitor[]
const without = (...gone: Visitor[]) => everybody.filter((it) => !gone.includes(it))

let lines: Record<string, unknown>[] = []
beforeEach(() => {
  lines = []
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

test.each([
  ["nobody is turned away while there is room", { underWay: MOST - 1, lag: 1_900 }, everybody],
  ["newcomers first, when all places are taken", { underWay: MOST, lag: 0 }, without(...newcomers)],
  ["newcomers first, when the process is too busy", { underWay: 0, lag: 2_000 }, without(...newcomers)],
  ["then those who are buying", { underWay: 2 * MOST, lag: 0 }, without(...newcomers, ...buyers)],
  ["then those who are buying", { underWay: 0, lag: 8_000 }, without(...newcomers, ...buyers)],
  ["gateways last", { underWay: 4 * MOST, lag: 0 }, ["load balancer", "file", "icon"] as Visitor[]],
  ["gateways last", { underWay: 0, lag: 16_000 }, ["load balancer", "file", "icon"] as Visitor[]],
])("%s: %o", async (_, { underWay, lag }, letIn) => {
  const { admits, during } = opened(() => lag)
  for (let nth = 0; nth < underWay; nth++) void during(() => new Promise(() => {}))
  expect(everybody.filter((it) => admits(incoming(it)))).toEqual(letIn)
})

test("a place is free again when the work is done, and when it has failed", async () => {
  const { admits, during } = opened(() => 0)
  const works = Array.from({ length: MOST }, () => Promise.withResolvers<string>())
  const done = works.map(({ promise }) => during(() => promise).catch(() => "failed"))
  expect(admits(incoming("newcomer"))).toBe(false)
  works.forEach(({ resolve, reject }, nth) => void (nth % 2 ? resolve("done") : reject(new Error("no"))))
  expect(new Set(await Promise.all(done))).toEqual(new Set(["done", "failed"]))
  for (let nth = 0; nth < MOST; nth++) void during(() => new Promise(() => {}))
  expect(admits(incoming("buyer"))).toBe(true)
})

test("a crowd is one line in the log at once, and one every ten seconds with its number", () => {
  let lag = 5_000
  const { admits } = opened(() => lag)
  for (let nth = 0; nth < 1_000; nth++) admits(incoming("newcomer"))
  expect(lines).toMatchObject([{ turnedAway: 1, underWay: 0, lag: 5_000 }])
  vi.advanceTimersByTime(10_000)
  expect(lines).toMatchObject([{ turnedAway: 1 }, { turnedAway: 999 }])
  lag = 0
  admits(incoming("newcomer"))
  vi.advanceTimersByTime(60_000)
  expect(lines).toHaveLength(2)
})

function opened(lag: () => number) {
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return admission({ most: MOST, lag, log })
}

function incoming(visitor: Visitor): IncomingMessage {
  return { method: "GET", headers: {}, ...visitors[visitor] } as Partial<IncomingMessage> as IncomingMessage
}
