import { setImmediate } from "node:timers/promises"
import { afterEach, expect, test, vi } from "vitest"
import type { LoggedServices, Services } from "~/context/services.server"
import { HOUR, MINUTE, SECOND } from "~/domain/calendar"
import { getOrderProgress } from "~/flows/payments/get-order-progress.server"
import { recreateService } from "~/flows/services/change-service.server"
import { buy, buyPlan } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { runJobs } from "./run-jobs.server"

afterEach(() => vi.useRealTimers())

test.each([
  ["29 seconds", 29],
  ["four minutes in many calls", 240],
])("a panel call that takes %s is made by one of two instances only", async (_, seconds) => {
  const { shop, order, running, maxConcurrent } = await withSlowPanel()
  const first = runJobs(shop.services)
  await expect.poll(() => running()).toBe(1)
  for (let second = 0; second < seconds; second++) {
    shop.wait(3 * SECOND)
    await vi.advanceTimersByTimeAsync(SECOND)
    await setImmediate()
    expect(await runJobs(shop.services)).toBe(0)
  }
  shop.finish()
  await first
  expect(maxConcurrent()).toBe(1)
  expect((await shop.services.billing.order(order.id))?.status).toBe("active")
})

test("another instance takes over the job of a dead one once the lease has expired", async () => {
  const { shop, running } = await withSlowPanel()
  void runJobs(shop.services)
  await expect.poll(() => running()).toBe(1)
  vi.clearAllTimers()
  shop.wait(30 * SECOND)
  expect(await runJobs(shop.services)).toBe(0)
  shop.wait(15 * SECOND)
  shop.finish()
  expect(await runJobs(shop.services)).toBe(1)
})

test("a job does not call the panel while its owner's request is recreating the service", async () => {
  const shop = await slowly(await openTestShop())
  const { serviceId } = await buyPlan(shop)
  const service = await shop.services.billing.service(serviceId)
  if (!service) throw new Error("no service")
  shop.isSlow()
  const pressed = recreateService(shop.services, service)
  await expect.poll(() => shop.running()).toBe(1)
  for (let second = 0; second < 90; second++) {
    shop.wait(3 * SECOND)
    await vi.advanceTimersByTimeAsync(SECOND)
    expect(await runJobs(shop.services)).toBe(0)
  }
  shop.finish()
  expect(await pressed).toBe("done")
})

test("new login details that were asked for twice at once are those that the panel has", async () => {
  const shop = await openTestShop()
  const { serviceId } = await buyPlan(shop)
  const service = await shop.services.billing.service(serviceId)
  if (!service) throw new Error("no service")
  const late = Promise.withResolvers<void>()
  const { provisioner } = shop.services
  const slow = { ...provisioner, terminate: () => late.promise }
  const second = recreateService({ ...shop.services, provisioner: slow }, service)
  expect(await recreateService(shop.services, service)).toBe("done")
  await runJobs(shop.services)
  const made = await shop.services.billing.service(serviceId)
  expect(made?.status).toBe("Active")
  late.resolve()
  expect(await second).toBe("done")
  shop.wait(HOUR)
  await runJobs(shop.services)
  expect(await shop.services.billing.service(serviceId)).toEqual(made)
  expect(await shop.billing.operator.jobs()).toEqual([])
})

test("an unexpected error in one job leaves the claims of the others in place until they finish", async () => {
  const { shop, running } = await withSlowPanel()
  const other = await buy(shop, { key: "draft-2" })
  await shop.services.billing.applyOrderEvent(other.order.id, "paid", shop.services.now())
  const { provisioner } = shop.services
  const faulty: Services["provisioner"] = {
    ...provisioner,
    async create(line) {
      if (line.id === other.order.serviceId) throw new TypeError("a mistake of ours")
      return provisioner.create(line)
    },
  }
  const first = runJobs({ ...shop.services, provisioner: faulty })
  first.catch(() => {})
  await expect.poll(() => running()).toBe(1)
  for (let second = 0; second < 120; second++) {
    shop.wait(3 * SECOND)
    await vi.advanceTimersByTimeAsync(SECOND)
  }
  expect(await runJobs(shop.services)).toBe(0)
  shop.finish()
  await expect(first).rejects.toThrow("a mistake of ours")
})

test("after a ten-hour panel outage the service is provisioned within an hour", async () => {
  const shop = await openTestShop()
  const order = await paid(shop)
  shop.panel.broken = true
  for (let minutes = 0; minutes < 10 * 60; minutes += 5) {
    await runJobs(shop.services)
    shop.wait(5 * MINUTE)
  }
  expect(await shop.billing.operator.jobs()).toMatchObject([{ state: "waiting" }])
  shop.panel.broken = false
  shop.wait(HOUR)
  await runJobs(shop.services)
  expect((await shop.services.billing.order(order.id))?.status).toBe("active")
})

async function withSlowPanel() {
  const shop = await slowly(await openTestShop())
  const order = await paid(shop)
  shop.isSlow()
  return { shop, order, running: shop.running, maxConcurrent: shop.maxConcurrent }
}

async function paid(shop: TestShop) {
  const { order } = await buy(shop)
  shop.gateway.reports("paid", TOTAL)
  shop.wait(3 * SECOND)
  await getOrderProgress(shop.services, order.id)
  return order
}

/** A shop whose panel calls wait for `finish()`, with fake timers. */
async function slowly(shop: TestShop) {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
  const { provisioner } = shop.services
  const response = Promise.withResolvers<void>()
  let slow = false
  let running = 0
  let max = 0
  const slowed =
    <T>(act: (line: Parameters<typeof provisioner.create>[0]) => Promise<T>) =>
    async (line: Parameters<typeof provisioner.create>[0]) => {
      if (!slow) return act(line)
      running += 1
      max = Math.max(max, running)
      await response.promise
      running -= 1
      return act(line)
    }
  const services: LoggedServices = {
    ...shop.services,
    provisioner: {
      ...provisioner,
      create: slowed(provisioner.create),
      terminate: slowed(provisioner.terminate),
    },
  }
  return {
    ...shop,
    services,
    isSlow: () => {
      slow = true
    },
    finish: () => response.resolve(),
    running: () => running,
    maxConcurrent: () => max,
  }
}
