import pino from "pino"
import { beforeEach, expect, test, vi } from "vitest"
import { SECOND } from "~/domain/calendar"
import { openTestShop, type TestShop } from "../../tests/fixtures/test-shop"
import { gatewayCircuit } from "./circuit"
import { withCircuitBreaker } from "./circuit-breaker.server"
import { GatewayError, type MonitoredGateway } from "./gateway"

const down = new GatewayError("unavailable", "POST pay.test/payments got no response")
const about = { paymentId: "p" }
const MAX = 3

let shop: TestShop
let at: number
let guarded: MonitoredGateway
/** Another gateway of the same upstream. */
let other: MonitoredGateway
let lines: { level: number; gateway: string; msg: string }[]

beforeEach(async () => {
  at = 0
  shop = await openTestShop()
  lines = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const circuit = gatewayCircuit({ now: () => at, log: log.child({ gateway: "offshore" }) })
  guarded = withCircuitBreaker(shop.gateway.gateway, { maxConcurrent: MAX, circuit })
  other = withCircuitBreaker(shop.other.gateway, { maxConcurrent: MAX, circuit })
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
  at += SECOND / 2 - 1
  const cut = { name: "GatewayError", kind: "unavailable" }
  expect(await request()).toMatchObject(cut)
  await expect(guarded.startPayment({ attemptId: "a" } as never)).rejects.toMatchObject(cut)
  await expect(guarded.closePayment(about)).rejects.toMatchObject(cut)
  expect([callCount(), shop.gateway.opened, shop.gateway.closed]).toEqual([5, [], []])
})

test("a buyer who presses again reaches a recovered gateway within two seconds", async () => {
  await failing(5)
  for (; at < 60 * SECOND; at += SECOND) await failing(1)
  shop.gateway.fail(null)
  const recovered = at
  const press = () => guarded.startPayment({ attemptId: "a" } as never).catch(() => null)
  let opened = await press()
  for (; opened === null; opened = await press()) at += 250
  expect(at - recovered).toBeLessThanOrEqual(2 * SECOND)
  expect([opened.url, guarded.healthy()]).toEqual(["https://pay.test/a", true])
})

test("an unavailable gateway gets one request every two seconds, however often buyers press", async () => {
  await failing(5)
  for (; at < 60 * SECOND; at += 100) await failing(1)
  expect(callCount() - 5).toBeLessThanOrEqual(31)
})

test("the first success closes the circuit for every gateway that shares it", async () => {
  await failing(5)
  await expect(other.fetchPayment(about)).rejects.toMatchObject({ message: /Circuit open/ })
  at += SECOND / 2
  await other.fetchPayment(about)
  shop.gateway.fail(null)
  expect(await request()).toMatchObject({ status: "pending" })
  expect(guarded.healthy()).toBe(true)
})

test("a trial that hangs keeps no later call out", async () => {
  await failing(5)
  at += SECOND / 2
  vi.spyOn(shop.gateway.gateway, "fetchPayment").mockReturnValueOnce(Promise.withResolvers<never>().promise)
  void request()
  expect(await request()).toMatchObject({ message: expect.stringMatching(/Circuit open/) })
  at += SECOND
  shop.gateway.fail(null)
  expect(await request()).toMatchObject({ status: "pending" })
  expect(guarded.healthy()).toBe(true)
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
  at += SECOND
  await failing(1)
  at += 2 * SECOND
  shop.gateway.fail(null)
  await request()
  expect(lines).toEqual([
    { ...lines[0], gateway: "offshore", retryEveryMs: 2_000, msg: "circuit opened for gateway" },
    { ...lines[1], gateway: "offshore", msg: "circuit closed for gateway" },
  ])
  expect(JSON.stringify(lines)).not.toContain("pay.test")
})
