import pino from "pino"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { HOUR, MINUTE, SECOND } from "~/domain/calendar"
import type { Country } from "~/domain/customers/country"
import type { IpAddress } from "~/http/ip-address.server"
import { cachedLookup } from "./cached-lookup.server"
import { countryServiceCircuit } from "./online-lookup.server"

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 20, 12) }))
afterEach(() => void vi.useRealTimers())

test("the country of an address is looked up once and cached for hours", async () => {
  const { visit, requests } = shop(async () => "GB")
  expect(await visit("8.8.8.8")).toBe("GB")
  await vi.advanceTimersByTimeAsync(5 * HOUR)
  expect(await visit("::ffff:8.8.8.8")).toBe("GB")
  expect(requests).toEqual(["8.8.8.8"])
  await vi.advanceTimersByTimeAsync(2 * HOUR)
  await visit("8.8.8.8")
  expect(requests).toEqual(["8.8.8.8", "8.8.8.8"])
})

test("concurrent visitors of one address share one lookup", async () => {
  const { visit, requests } = shop(() => new Promise((resolve) => setTimeout(() => resolve("ES"), SECOND)))
  const visits = Promise.all([visit("8.8.8.8"), visit("8.8.8.8"), visit("8.8.4.4")])
  await vi.advanceTimersByTimeAsync(SECOND)
  expect(await visits).toEqual(["ES", "ES", "ES"])
  expect(requests).toEqual(["8.8.8.8", "8.8.4.4"])
})

test.each([null, "", "unknown", "10.0.0.7", "203.0.113.7", "2001:db8::7"])(
  "%s is not looked up, because it has no country",
  async (address) => {
    const { visit, requests, log } = shop(async () => "GB")
    expect(await visit(address)).toBe("XX")
    expect([requests, log]).toEqual([[], []])
  },
)

test("a lookup without a response delays a page by at most 1.5 seconds", async () => {
  const { visit, log } = shop(() => new Promise(() => undefined))
  let country: Country | undefined
  const visiting = visit("8.8.8.8").then((it) => {
    country = it
  })
  await vi.advanceTimersByTimeAsync(1.5 * SECOND - 1)
  expect(country).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  await visiting
  expect(country).toBe("XX")
  expect(log).toMatchObject([{ level: 40, reason: "no response within 1500 ms" }])
})

test("an answer that comes too late for a page is used for the next one", async () => {
  const { visit, requests } = shop(
    () => new Promise((resolve) => setTimeout(() => resolve("GB"), 2 * SECOND)),
  )
  const first = visit("8.8.8.8")
  await vi.advanceTimersByTimeAsync(1.5 * SECOND)
  expect(await first).toBe("XX")
  await vi.advanceTimersByTimeAsync(SECOND)
  expect([await visit("8.8.8.8"), requests.length]).toEqual(["GB", 1])
  await vi.advanceTimersByTimeAsync(5 * HOUR)
  expect([await visit("8.8.8.8"), requests.length]).toEqual(["GB", 1])
})

test("a failure is cached for a minute, so that the next page does not wait again", async () => {
  let broken = true
  const { visit, requests } = shop(async () => {
    if (broken) throw new Error("out of order")
    return "GB"
  })
  expect(await visit("8.8.8.8")).toBe("XX")
  broken = false
  await vi.advanceTimersByTimeAsync(MINUTE / 2)
  expect([await visit("8.8.8.8"), requests.length]).toEqual(["XX", 1])
  await vi.advanceTimersByTimeAsync(MINUTE)
  expect([await visit("8.8.8.8"), requests.length]).toEqual(["GB", 2])
})

test("an outage of the source is logged once, without an address, and again after the next success", async () => {
  let broken = true
  const { visit, log } = shop(async () => {
    if (broken) throw new Error("out of order")
    return "GB"
  })
  await visit("8.8.8.8")
  await visit("8.8.4.4")
  expect(log).toEqual([expect.objectContaining({ level: 40, reason: "out of order" })])
  broken = false
  await visit("1.1.1.1")
  broken = true
  await visit("9.9.9.9")
  expect(log).toHaveLength(2)
  expect(JSON.stringify(log)).not.toMatch(/8\.8\.8\.8|8\.8\.4\.4|9\.9\.9\.9/)
})

test("a source that throws synchronously counts as a failure", async () => {
  const { visit } = shop(() => {
    throw new Error("out of order")
  })
  expect(await visit("8.8.8.8")).toBe("XX")
})

describe("a country service that is away", () => {
  const away = () => new Promise<never>(() => undefined)
  let answers: () => Promise<Country>
  let visited: ReturnType<typeof shop>
  beforeEach(() => {
    answers = away
    visited = shop(() => answers(), { isService: true })
  })

  /** Visitors of different addresses, one after another, who wait as long as they have to. */
  async function newVisitors(first: number, count: number): Promise<Country[]> {
    const countries: Country[] = []
    for (let visitor = first; visitor < first + count; visitor++) {
      const visiting = visited.visit(`8.8.8.${visitor}`)
      await vi.advanceTimersByTimeAsync(1.5 * SECOND)
      countries.push(await visiting)
    }
    return countries
  }

  /** What a page gets that does not wait. */
  const atOnce = (address: string) =>
    Promise.race([visited.visit(address), vi.advanceTimersByTimeAsync(0).then(() => "waiting")])

  test("delays no new visitor after three failures, whose countries are unknown", async () => {
    await newVisitors(0, 3)
    expect(await atOnce("8.8.8.3")).toBe("XX")
    expect(visited.requests).toHaveLength(3)
  })

  test("delays one visitor each half minute, by whom it is tried", async () => {
    await newVisitors(0, 3)
    await vi.advanceTimersByTimeAsync(30 * SECOND)
    const trial = visited.visit("8.8.8.100")
    expect([await atOnce("8.8.8.101"), visited.requests.length]).toEqual(["XX", 4])
    await vi.advanceTimersByTimeAsync(1.5 * SECOND)
    expect(await trial).toBe("XX")
    expect([await atOnce("8.8.8.102"), visited.requests.length]).toEqual(["XX", 4])
  })

  test("is asked for everyone again as soon as it has answered once", async () => {
    await newVisitors(0, 3)
    expect(await atOnce("8.8.8.3")).toBe("XX")
    answers = async () => "GB"
    await vi.advanceTimersByTimeAsync(30 * SECOND)
    expect(await atOnce("8.8.8.4")).toBe("GB")
    expect([await atOnce("8.8.8.3"), await atOnce("8.8.8.5")]).toEqual(["GB", "GB"])
  })

  test("leaves the visitors their countries that it has named before", async () => {
    answers = async () => "GB"
    await visited.visit("8.8.4.4")
    await vi.advanceTimersByTimeAsync(7 * HOUR)
    answers = away
    await newVisitors(0, 2)
    const failing = visited.visit("8.8.4.4")
    await vi.advanceTimersByTimeAsync(1.5 * SECOND)
    expect(await failing).toBe("GB")
    await vi.advanceTimersByTimeAsync(MINUTE)
    await newVisitors(2, 1)
    expect([await atOnce("8.8.4.4"), visited.requests.length]).toEqual(["GB", 5])
  })

  test("names another country of a visitor after a minute once it is back, although it has named one before", async () => {
    answers = async () => "GB"
    await visited.visit("8.8.4.4")
    await vi.advanceTimersByTimeAsync(7 * HOUR)
    answers = away
    await newVisitors(0, 3)
    expect(await atOnce("8.8.4.4")).toBe("GB")
    answers = async () => "FR"
    await vi.advanceTimersByTimeAsync(MINUTE + 1)
    await visited.visit("8.8.8.100")
    expect(await atOnce("8.8.4.4")).toBe("FR")
  })

  test("is logged once when it goes, and once when it is back", async () => {
    await newVisitors(0, 9)
    answers = async () => "GB"
    await vi.advanceTimersByTimeAsync(30 * SECOND)
    await newVisitors(100, 2)
    expect(visited.log).toMatchObject([
      { level: 40, msg: "country lookup failed", reason: "no response within 1500 ms" },
      { level: 30, msg: "country lookup works again" },
    ])
  })
})

test("a table is asked for every address, however often it has failed", async () => {
  const { visit, requests } = shop(async () => {
    throw new Error("out of order")
  })
  for (let visitor = 0; visitor < 9; visitor++) await visit(`8.8.8.${visitor}`)
  expect(requests).toHaveLength(9)
})

function shop(source: () => Promise<Country>, { isService = false } = {}) {
  const requests: string[] = []
  const log: Record<string, unknown>[] = []
  const logger = pino({ base: null }, { write: (line: string) => void log.push(JSON.parse(line)) })
  const result = (address: IpAddress) => {
    requests.push(address.toString())
    return source()
  }
  const around = { now: () => Date.now(), log: logger }
  const circuit = isService ? countryServiceCircuit(around) : undefined
  const lookup = cachedLookup(result, { ...around, circuit })
  const visit = (address: string | null) => lookup({ address, headers: new Headers() })
  return { visit, requests, log }
}
