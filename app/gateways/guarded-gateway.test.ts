import pino from "pino"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { SECOND } from "~/domain/calendar"
import { openTestShop } from "../../tests/factories/shop"
import { GatewayError } from "./gateway"
import { guarded } from "./guarded-gateway.server"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const payment = { paymentId: "p1" }

test("a gateway that fails five times in a row is in trouble, and is not asked for a while", async () => {
  const { gateway, provider, log } = await opened()
  provider.fail(new GatewayError("unavailable", "no answer"))
  for (let tries = 0; tries < 8; tries++) {
    await expect(gateway.askPayment(payment)).rejects.toMatchObject({ kind: "unavailable" })
  }
  expect(provider.asked).toHaveLength(5)
  expect(gateway.isTroubled()).toBe(true)
  expect(log.map(({ msg }) => msg)).toEqual(["gateway is in trouble"])
})

test("it is tried again by itself after half a minute, once, and is well again when it answers", async () => {
  const { gateway, provider, log } = await opened()
  provider.fail(new GatewayError("unreadable", "nonsense"))
  for (let tries = 0; tries < 5; tries++) await expect(gateway.askPayment(payment)).rejects.toThrow()
  vi.advanceTimersByTime(31 * SECOND)
  await expect(gateway.askPayment(payment)).rejects.toMatchObject({ kind: "unreadable" })
  await expect(gateway.askPayment(payment)).rejects.toMatchObject({ kind: "unavailable" })
  expect(provider.asked).toHaveLength(6)

  provider.fail(null)
  vi.advanceTimersByTime(31 * SECOND)
  await gateway.askPayment(payment)
  expect(gateway.isTroubled()).toBe(false)
  expect(log.at(-1)?.msg).toBe("gateway works again")
})

test("a gateway that refuses is in good health", async () => {
  const { gateway, provider } = await opened()
  provider.fail(new GatewayError("refused", "no"))
  for (let tries = 0; tries < 8; tries++) await expect(gateway.askPayment(payment)).rejects.toThrow("no")
  expect(gateway.isTroubled()).toBe(false)
})

async function opened() {
  const { gateway: provider } = await openTestShop()
  const log: Record<string, unknown>[] = []
  const logger = pino({ base: null }, { write: (line: string) => void log.push(JSON.parse(line)) })
  return { provider, log, gateway: guarded(provider.gateway, logger) }
}
