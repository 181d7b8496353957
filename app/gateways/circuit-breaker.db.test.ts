import pino from "pino"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { SECOND } from "~/domain/calendar"
import { openTestShop, type TestShop } from "../../tests/fixtures/test-shop"
import { withCircuitBreaker } from "./circuit-breaker.server"
import { GatewayError, type MonitoredGateway } from "./gateway"

const down = new GatewayError("unavailable", "POST pay.test/payments got no response")
const about = { paymentId: "p" }
const MAX = 3

let shop: TestShop
let guarded: MonitoredGateway
let lines: { level: number; gateway: string; msg: string }[]

beforeEach(async () => {
  vi.useFakeTimers()
  shop = await openTestShop()
  lines = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  guarded = withCircuitBreaker(shop.gateway.gateway, { maxConcurrent: MAX, log })
})
afterEach(() => {
  vi.useRealTimers()
})

const request = () => guarded.fetchPayment(about).catch((error: unknown) => error)
const callCount = () => shop.gateway.requests.length

async function failing(times: number, error = down): Promise<void> {
  shop.gateway.fail(error)
  for (let time = 0; time < times; time++) await request()
}

test("the circuit opens after five consecutive failures, not after four", async () => {
  await failing(4)
  expect(guarded.healthy()).toBe(true)
  await failing(1)
  expect(guarded.healthy()).toBe(false)
})

test("an unreadable response counts as a failure in startPayment, closePayment and fetchPayment", async () => {
  shop.gateway.fail(new GatewayError("unreadable", "nonsense"))
  const opening = () => guarded.startPayment({ attemptId: "a" } as never).catch(() => null)
  for (const act of [
    opening,
    opening,
    () => guarded.closePayment(about).catch(() => null),
    request,
    request,
  ]) {
    expect(guarded.healthy()).toBe(true)
    await act()
  }
  expect(guarded.healthy()).toBe(false)
})

test("a refused error is passed through unchanged and resets the failure count", async () => {
  await failing(4)
  const refusal = new GatewayError("refused", "GET pay.test/payments/p answered 404")
  shop.gateway.fail(refusal)
  expect(await request()).toBe(refusal)
  await failing(4)
  expect(guarded.healthy()).toBe(true)
})

test("an exception other than GatewayError does not count as a gateway failure", async () => {
  shop.gateway.fail(new TypeError("a mistake") as never)
  for (let time = 0; time < 9; time++) expect(await request()).toBeInstanceOf(TypeError)
  expect(guarded.healthy()).toBe(true)
})

test("calls fail immediately without a request while the circuit is open", async () => {
  await failing(5)
  shop.gateway.fail(null)
  vi.advanceTimersByTime(30 * SECOND - 1)
  const cut = { name: "GatewayError", kind: "unavailable" }
  expect(await request()).toMatchObject(cut)
  await expect(guarded.startPayment({ attemptId: "a" } as never)).rejects.toMatchObject(cut)
  await expect(guarded.closePayment(about)).rejects.toMatchObject(cut)
  expect([callCount(), shop.gateway.opened, shop.gateway.closed]).toEqual([5, [], []])
})

test("a successful startPayment 30 seconds after the circuit opened closes it", async () => {
  await failing(5)
  shop.gateway.fail(null)
  vi.advanceTimersByTime(30 * SECOND)
  expect(guarded.healthy()).toBe(false)
  const opened = await guarded.startPayment({ attemptId: "a" } as never)
  expect(opened.url).toBe("https://pay.test/a")
  expect(guarded.healthy()).toBe(true)
})

test("concurrent calls fail immediately while the half-open circuit runs one trial", async () => {
  await failing(5)
  vi.advanceTimersByTime(30 * SECOND)
  const trial = Promise.withResolvers<never>()
  const slow = vi.spyOn(shop.gateway.gateway, "fetchPayment").mockReturnValueOnce(trial.promise)
  const trying = request()
  expect(await request()).toMatchObject({
    kind: "unavailable",
    message: expect.stringMatching(/Circuit open/),
  })
  trial.reject(down)
  expect(await trying).toBe(down)
  expect(slow).toHaveBeenCalledTimes(1)
})

test("a failed trial keeps the circuit open for another 30 seconds", async () => {
  await failing(5)
  vi.advanceTimersByTime(30 * SECOND)
  await failing(1)
  vi.advanceTimersByTime(30 * SECOND - 1)
  await failing(1)
  expect(callCount()).toBe(6)
  vi.advanceTimersByTime(1)
  await failing(1)
  expect(callCount()).toBe(7)
})

test("a closePayment that sends no request does not reset the failure count", async () => {
  await failing(4)
  shop.gateway.fail(null)
  expect(await guarded.closePayment(about)).toBe("stays-open")
  await failing(1)
  expect(guarded.healthy()).toBe(false)
})

test("calls above the concurrency limit fail immediately and do not count as gateway failures", async () => {
  const response = Promise.withResolvers<null>()
  const slow = vi.spyOn(shop.gateway.gateway, "fetchPayment").mockReturnValue(response.promise)
  const waiting = Array.from({ length: MAX }, request)
  for (let time = 0; time < 9; time++)
    expect(await request()).toMatchObject({
      kind: "unavailable",
      message: expect.stringMatching(/Concurrency limit reached: 3/),
    })
  expect(slow).toHaveBeenCalledTimes(MAX)
  expect(guarded.healthy()).toBe(true)
  response.resolve(null)
  expect(await Promise.all(waiting)).toEqual([null, null, null])
  expect(await request()).toBeNull()
})

test("callbacks are parsed while the circuit is open", async () => {
  await failing(5)
  expect(
    guarded.parseCallback({ headers: new Headers(), body: Buffer.from(""), at: 0, address: null }),
  ).toBeNull()
})

test("the log has one line when the circuit opens and one when it closes, without the provider's URL", async () => {
  await failing(6)
  vi.advanceTimersByTime(30 * SECOND)
  await failing(1)
  vi.advanceTimersByTime(30 * SECOND)
  shop.gateway.fail(null)
  await request()
  expect(lines).toEqual([
    { ...lines[0], gateway: "offshore", retryEveryMs: 30_000, msg: "circuit opened for gateway" },
    { ...lines[1], gateway: "offshore", msg: "circuit closed for gateway" },
  ])
  expect(JSON.stringify(lines)).not.toContain("pay.test")
})
