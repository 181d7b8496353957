import pino, { type Logger } from "pino"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { SECOND } from "~/domain/calendar"
import type { Product } from "~/domain/catalogue/catalogue"
import { plan } from "../../tests/contracts/billing/billing-fixtures"
import { BillingError } from "./billing"
import { cachedCatalogue } from "./cached-catalogue.server"

const surroundings = { now: () => Date.now(), log: pino({ level: "silent" }), currency: "EUR" } as const
const list = (...ids: string[]) =>
  ids.map((id): Product => ({ ...plan, id, pricing: { EUR: { monthly: 1_200 } } }))
const names = (products: readonly Product[]) => products.map(({ id }) => id)

/** Fake billing: a test sets its plans (`listed`), lets reads fail (`broken`) or never settle (`silent`). */
function fakeCatalogue() {
  const billing = { listed: list("1"), broken: false, silent: false }
  async function plans() {
    if (billing.silent) return new Promise<never>(() => {})
    if (billing.broken) throw new BillingError("unavailable", "no answer")
    return billing.listed
  }
  return { billing, reading: { plans, resellerPlans: async () => [], gateways: async () => [] } }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }))
afterEach(() => void vi.useRealTimers())

const later = () => vi.advanceTimersByTimeAsync(6 * SECOND)

test("serves the stale catalogue and pauses ordering while billing is unavailable", async () => {
  const { billing, reading } = fakeCatalogue()
  const catalogue = cachedCatalogue(reading, surroundings)
  expect([names(await catalogue.plans()), catalogue.paused()]).toEqual([["1"], false])

  billing.broken = true
  await later()
  await catalogue.plans()
  await later()
  expect([names(await catalogue.plans()), catalogue.paused()]).toEqual([["1"], true])

  billing.broken = false
  billing.listed = list("1", "2")
  await later()
  await catalogue.plans()
  await vi.waitFor(() => expect(catalogue.paused()).toBe(false), { timeout: 15_000 })
  await vi.waitFor(async () => expect(names(await catalogue.plans())).toEqual(["1", "2"]), {
    timeout: 15_000,
  })
})

test("a scheduled price is shown from its instant on, however old the list is", async () => {
  const { billing, reading } = fakeCatalogue()
  const catalogue = cachedCatalogue(reading, { ...surroundings, maxAge: 3_600 * SECOND })
  const from = Date.now() + 6 * SECOND
  const scheduled = { from, currency: "EUR", cycle: "monthly", price: 1_400 } as const
  billing.listed = list("1").map((it) => ({
    ...it,
    scheduledPrices: [{ ...scheduled, author: null, at: null, reason: null }],
  }))
  const price = async () => (await catalogue.plans())[0]?.pricing.EUR?.monthly
  expect(await price()).toBe(1_200)
  billing.broken = true
  await vi.advanceTimersByTimeAsync(6 * SECOND - 1)
  expect(await price()).toBe(1_200)
  await vi.advanceTimersByTimeAsync(1)
  expect(await price()).toBe(1_400)
})

test("with a maximum age the first visitor after a quiet hour sees an imported price", async () => {
  const { billing, reading } = fakeCatalogue()
  const catalogue = cachedCatalogue(reading, { ...surroundings, maxAge: SECOND })
  expect(names(await catalogue.plans())).toEqual(["1"])
  billing.listed = list("2")
  expect(names(await catalogue.plans())).toEqual(["1"])
  await vi.advanceTimersByTimeAsync(3_600 * SECOND)
  expect(names(await catalogue.plans())).toEqual(["2"])
})

test("lists that an order has found outdated are read again for the next visitor, and older ones shown if that fails", async () => {
  const { billing, reading } = fakeCatalogue()
  const catalogue = cachedCatalogue(reading, surroundings)
  expect(names(await catalogue.plans())).toEqual(["1"])
  for (const age of [0, 3_600 * SECOND]) {
    await vi.advanceTimersByTimeAsync(age)
    billing.listed = list("2", String(age))
    catalogue.expire()
    expect(names(await catalogue.plans())).toEqual(["2", String(age)])
  }
  billing.broken = true
  catalogue.expire()
  expect(names(await catalogue.plans())).toEqual(["2", "3600000"])
  billing.broken = false
  billing.listed = list("3")
  await later()
  expect(names(await catalogue.plans())).toEqual(["2", "3600000"])
  await vi.waitFor(async () => expect(names(await catalogue.plans())).toEqual(["3"]), { timeout: 15_000 })
})

test("a payment method that an order has found gone is not shown to the next visitor", async () => {
  const { reading } = fakeCatalogue()
  let taken = ["offshore", "coinbase"]
  const catalogue = cachedCatalogue({ ...reading, gateways: async () => taken }, surroundings)
  expect(await catalogue.gateways()).toEqual(["offshore", "coinbase"])
  taken = ["coinbase"]
  catalogue.expire()
  expect(await catalogue.gateways()).toEqual(["coinbase"])
})

test("with a maximum age the first visitor waits a second for slow billing, and later ones do not", async () => {
  const { billing, reading } = fakeCatalogue()
  const catalogue = cachedCatalogue(reading, { ...surroundings, maxAge: SECOND })
  await catalogue.plans()
  billing.silent = true
  await later()
  const first = catalogue.plans()
  await vi.advanceTimersByTimeAsync(SECOND)
  expect(names(await first)).toEqual(["1"])
  expect(names(await catalogue.plans())).toEqual(["1"])
})

test("with a maximum age the older list is shown while billing fails, and the new one once it responds", async () => {
  const { billing, reading } = fakeCatalogue()
  const catalogue = cachedCatalogue(reading, { ...surroundings, maxAge: SECOND })
  await catalogue.plans()
  billing.broken = true
  await later()
  expect([names(await catalogue.plans()), catalogue.paused()]).toEqual([["1"], true])
  billing.broken = false
  billing.listed = list("2")
  await later()
  await catalogue.plans()
  await vi.waitFor(() => expect(catalogue.paused()).toBe(false), { timeout: 15_000 })
  expect(names(await catalogue.plans())).toEqual(["2"])
})

test("a fourth plan, which is never shown, is logged once", async () => {
  const warn = vi.fn()
  const { billing, reading } = fakeCatalogue()
  const log = { warn, error: vi.fn(), info: vi.fn() } as unknown as Logger
  const catalogue = cachedCatalogue(reading, { ...surroundings, log, maxAge: SECOND })
  billing.listed = list("1", "2", "3", "4")
  for (const _ of [1, 2]) {
    await catalogue.plans()
    await later()
  }
  expect(warn.mock.calls).toEqual([[{ plans: ["4"] }, "plans not shown: limit is three"]])
})

test.each([
  ["fails", { broken: true }],
  ["does not respond", { silent: true }],
])("after a restart serves the last known catalogue while billing %s", async (_, trouble) => {
  const { billing, reading } = fakeCatalogue()
  Object.assign(billing, trouble)
  const catalogue = cachedCatalogue(reading, { ...surroundings, lastKnown: { plans: async () => list("7") } })
  const shown = catalogue.plans()
  await later()
  expect(names(await shown)).toEqual(["7"])
})

test("throws and pauses ordering if billing is unavailable and no catalogue was ever read", async () => {
  const { billing, reading } = fakeCatalogue()
  billing.broken = true
  const catalogue = cachedCatalogue(reading, surroundings)
  await expect(catalogue.plans()).rejects.toMatchObject({ kind: "unavailable" })
  expect(catalogue.paused()).toBe(true)
})

test("logs once that no plan is priced in the shop's currency, and again only after a plan was", async () => {
  const { billing, reading } = fakeCatalogue()
  const log = { ...surroundings.log, error: vi.fn() } as unknown as Logger
  const catalogue = cachedCatalogue(reading, { ...surroundings, log })
  const read = async (listed: readonly Product[]) => {
    billing.listed = [...listed]
    await later()
    await catalogue.plans()
    await later()
    await catalogue.plans()
  }
  const inPounds = list("1").map((it) => ({ ...it, pricing: { GBP: { monthly: 1_000 } } }))
  await read(inPounds)
  expect(log.error).toHaveBeenCalledExactlyOnceWith({ currency: "EUR" }, "no plan priced in CURRENCY")
  await read(list("1"))
  await read([])
  expect(log.error).toHaveBeenCalledTimes(1)
  await read(inPounds)
  expect(log.error).toHaveBeenCalledTimes(2)
})

test("while ordering is paused, the catalogue knows how long billing has asked to be left alone", async () => {
  const busy = new BillingError("unavailable", "busy", { retryAfterSeconds: 90 })
  const { reading } = fakeCatalogue()
  const catalogue = cachedCatalogue(reading, surroundings)
  catalogue.pause(new BillingError("unavailable", "no answer"))
  expect(catalogue.pausedFor()).toBeNull()
  catalogue.pause(busy)
  await vi.advanceTimersByTimeAsync(30 * SECOND)
  expect(catalogue.pausedFor()).toBe(60)
  await catalogue.plans()
  expect(catalogue.pausedFor()).toBeNull()
})

test("a list is not read for display before the time that billing has asked for", async () => {
  const { billing, reading } = fakeCatalogue()
  const busy = new BillingError("unavailable", "busy", { retryAfterSeconds: 600 })
  const plans = vi.fn(reading.plans)
  const catalogue = cachedCatalogue({ ...reading, plans }, surroundings)
  await catalogue.plans()
  plans.mockRejectedValueOnce(busy)
  await later()
  await catalogue.plans()
  await later()
  billing.listed = list("2")
  expect([names(await catalogue.plans()), catalogue.paused()]).toEqual([["1"], true])
  expect(plans).toHaveBeenCalledTimes(2)

  await vi.advanceTimersByTimeAsync(594 * SECOND)
  await catalogue.plans()
  await vi.waitFor(async () => expect(names(await catalogue.plans())).toEqual(["2"]), { timeout: 15_000 })
  expect(catalogue.paused()).toBe(false)
})

test("another call's Retry-After does not keep the catalogue from being read, so ordering resumes with it", async () => {
  const { reading } = fakeCatalogue()
  const catalogue = cachedCatalogue(reading, surroundings)
  await catalogue.plans()
  catalogue.pause(new BillingError("unavailable", "busy", { retryAfterSeconds: 600 }))
  await later()
  await catalogue.plans()
  await vi.waitFor(() => expect(catalogue.paused()).toBe(false), { timeout: 15_000 })
})

test("an order that billing has answered resumes ordering, and the list is read again only when billing has asked for it", async () => {
  const { reading } = fakeCatalogue()
  const busy = new BillingError("unavailable", "busy", { retryAfterSeconds: 600 })
  const plans = vi.fn(reading.plans)
  const catalogue = cachedCatalogue({ ...reading, plans }, surroundings)
  await catalogue.plans()
  plans.mockRejectedValueOnce(busy)
  await later()
  await catalogue.plans()
  await vi.waitFor(() => expect(catalogue.paused()).toBe(true), { timeout: 15_000 })
  catalogue.resume()
  await later()
  expect([names(await catalogue.plans()), catalogue.paused(), catalogue.pausedFor()]).toEqual([
    ["1"],
    false,
    null,
  ])
  expect(plans).toHaveBeenCalledTimes(2)
})

test("a list that the shop does not have is read for its visitor, whatever billing has asked for", async () => {
  const { reading } = fakeCatalogue()
  const busy = new BillingError("unavailable", "busy", { retryAfterSeconds: 600 })
  const plans = vi.fn(reading.plans).mockRejectedValueOnce(busy)
  const catalogue = cachedCatalogue({ ...reading, plans }, surroundings)
  await expect(catalogue.plans()).rejects.toBe(busy)
  expect(names(await catalogue.plans())).toEqual(["1"])
})

test.each([
  ["database", false],
  ["external billing", true],
] as const)(
  "the log says that the %s is why ordering is paused, with the reason",
  async (named, isExternal) => {
    const lines: Record<string, unknown>[] = []
    const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const { billing, reading } = fakeCatalogue()
    const catalogue = cachedCatalogue(reading, { ...surroundings, log, isExternal })
    billing.broken = true
    await catalogue.plans().catch(() => {})
    catalogue.pause(new BillingError("unavailable", "still no answer"))
    billing.broken = false
    await later()
    await catalogue.plans()
    expect(lines.map(({ msg, reason }) => [msg, reason])).toEqual([
      [`${named} unavailable: ordering paused`, "no answer"],
      [`${named} available: ordering resumed`, undefined],
    ])
  },
)
