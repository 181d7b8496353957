import { describe, expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import type { Job } from "~/billing/outbox"
import { DAY, MINUTE, SECOND } from "~/domain/calendar"
import { cancelUnpaidOrder } from "~/flows/payments/cancel-order.server"
import { getOrderProgress } from "~/flows/payments/get-order-progress.server"
import { showAccess } from "~/flows/services/show-access.server"
import { ProvisioningError } from "~/provisioning/provisioner"
import { browserWith, buy } from "../../../tests/fixtures/purchase"
import { openTestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { sweep } from "./reconcile.server"
import { runJobs } from "./run-jobs.server"
import { settleRenewal } from "./settle-renewal.server"

test("a panel outage delays the service, adds one timeline event and is retried", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.panel.broken = true
  shop.gateway.reports("paid", TOTAL)
  shop.wait(3 * SECOND)
  await getOrderProgress(shop.services, order.id)
  await runJobs(shop.services)
  shop.wait(MINUTE)
  await runJobs(shop.services)
  expect(await showAccess(shop.services, browserWith(order))).toMatchObject({ ready: false, delayed: true })
  const timeline = await shop.services.billing.timeline(order.id)
  expect(timeline.filter(({ kind }) => kind === "provisioning-delayed")).toHaveLength(1)

  shop.panel.broken = false
  shop.wait(5 * MINUTE)
  await runJobs(shop.services)
  expect(await showAccess(shop.services, browserWith(order))).toMatchObject({ ready: true })
})

test("a provisioning job that keeps failing is parked for the operator", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.panel.broken = true
  shop.gateway.reports("paid", TOTAL)
  shop.wait(3 * SECOND)
  await getOrderProgress(shop.services, order.id)
  for (let attempts = 0; attempts < 40; attempts++) {
    await runJobs(shop.services)
    shop.wait(2 * 60 * MINUTE)
  }
  const [job] = await shop.billing.operator.jobs()
  expect(job).toMatchObject({
    topic: "provision",
    orderId: order.id,
    state: "parked",
    reason: "the panel is unavailable",
  })
})

test("a job is not tried again before the time that a busy panel or billing server has asked for", async () => {
  const shop = await openTestShop()
  const create = async () => Promise.reject(new ProvisioningError("busy", { retryAfterMs: 1_200 * SECOND }))
  const { order } = await buy(shop)
  shop.gateway.reports("paid", TOTAL)
  shop.wait(3 * SECOND)
  await getOrderProgress(shop.services, order.id)
  await runJobs({ ...shop.services, provisioner: { ...shop.services.provisioner, create } })
  shop.wait(1_199 * SECOND)
  await runJobs(shop.services)
  expect(await showAccess(shop.services, browserWith(order))).toMatchObject({ ready: false })
  shop.wait(1 * SECOND)
  await runJobs(shop.services)
  expect(await showAccess(shop.services, browserWith(order))).toMatchObject({ ready: true })
})

test("a paid renewal is not reported again before the time that a busy billing system has asked for", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  const due: (number | null)[] = []
  const { outbox, now } = shop.services
  const services = {
    ...shop.services,
    invoiceRenewals: {
      settleInvoiceRenewal: () =>
        Promise.reject(new BillingError("unavailable", "busy", { retryAfterSeconds: 1_200 })),
    } as never,
    outbox: {
      ...outbox,
      reschedule: async (_: Job, next: { due: number | null }) => void due.push(next.due),
    },
  }
  const job: Job = { id: "1", topic: "renewal", subject: order.id, tries: 0, due: now() } as never
  await settleRenewal(services, job)
  expect(due).toEqual([now() + 1_200 * SECOND])
})

test("a step left at the panel repeats the job and keeps the service from no one", async () => {
  const shop = await openTestShop()
  const { provisioner } = shop.services
  let unfinished = true
  const create: typeof provisioner.create = async (line) => {
    const made = await provisioner.create(line)
    return unfinished ? { host: made.host, unfinished: "order not accepted" } : made
  }
  const services = { ...shop.services, provisioner: { ...provisioner, create } }
  const { order } = await buy(shop)
  shop.gateway.reports("paid", TOTAL)
  shop.wait(3 * SECOND)
  await getOrderProgress(services, order.id)
  await runJobs(services)
  expect(await showAccess(services, browserWith(order))).toMatchObject({ ready: true, delayed: false })
  expect(await shop.billing.operator.jobs()).toMatchObject([
    { topic: "provision", orderId: order.id, reason: "order not accepted" },
  ])
  unfinished = false
  shop.wait(MINUTE)
  await runJobs(services)
  expect(await shop.billing.operator.jobs()).toEqual([])
  const timeline = await services.billing.timeline(order.id)
  expect(timeline.filter(({ kind }) => kind === "provisioned")).toHaveLength(1)
})

describe("a paid order whose service is ended before the panel has set it up", () => {
  const end = { owner: "operator", reason: "refunded", at: 0 } as const

  async function paid() {
    const shop = await openTestShop()
    const { order } = await buy(shop)
    shop.gateway.reports("paid", TOTAL)
    shop.wait(3 * SECOND)
    await getOrderProgress(shop.services, order.id)
    return { shop, order }
  }

  test("is not set up any more, and needs nobody", async () => {
    const { shop, order } = await paid()
    shop.panel.broken = true
    await runJobs(shop.services)
    expect(await shop.billing.operator.terminateService(order.serviceId, end)).toBe(true)
    expect(await shop.billing.operator.terminateService(order.serviceId, end)).toBe(false)
    shop.panel.broken = false
    shop.wait(5 * MINUTE)
    await runJobs(shop.services)
    expect(await showAccess(shop.services, browserWith(order))).toMatchObject({
      service: { status: "Terminated", host: null },
      order: { status: "active" },
      unsettled: false,
    })
  })

  test("is ended at the panel if it was created meanwhile", async () => {
    const { shop, order } = await paid()
    const { provisioner } = shop.services
    const calls: string[] = []
    const create: typeof provisioner.create = async (line) => {
      const made = await provisioner.create(line)
      await shop.billing.operator.terminateService(line.id, end)
      calls.push("create")
      return made
    }
    const terminate: typeof provisioner.terminate = async () => void calls.push("terminate")
    await runJobs({ ...shop.services, provisioner: { ...provisioner, create, terminate } })
    expect(calls).toEqual(["create", "terminate"])
    expect(await shop.services.billing.service(order.serviceId)).toMatchObject({ status: "Terminated" })
  })

  test("is not one that nobody has paid", async () => {
    const shop = await openTestShop()
    const { order } = await buy(shop)
    expect(await shop.billing.operator.terminateService(order.serviceId, end)).toBe(false)
  })
})

test("cancels an unpaid order", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.wait(3 * SECOND)
  await cancelUnpaidOrder(shop.services, order.id)
  expect((await shop.services.billing.order(order.id))?.status).toBe("cancelled")
})

test.each([
  ["paid", "paid", TOTAL, "paid"],
  ["seen but not confirmed", "processing", 0, "awaiting-payment"],
] as const)("does not cancel an order whose payment was just %s", async (_, body, minor, status) => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.gateway.reports(body, minor)
  shop.wait(3 * SECOND)
  await cancelUnpaidOrder(shop.services, order.id)
  expect((await shop.services.billing.order(order.id))?.status).toBe(status)
})

test("cancelling a partly paid order credits the received amount", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.gateway.reports("partially-paid", 10_00)
  shop.wait(3 * SECOND)
  expect(await cancelUnpaidOrder(shop.services, order.id)).toMatchObject({
    status: "cancelled",
    credited: { minor: 10_00 },
  })
  expect(await shop.services.payments.accountCredit(order.customerId, "EUR")).toMatchObject({ minor: 10_00 })
})

test("a payment that arrives after cancellation still counts", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.wait(3 * SECOND)
  await cancelUnpaidOrder(shop.services, order.id)
  shop.gateway.reports("paid", TOTAL)
  shop.wait(3 * MINUTE)
  await sweep(shop.services, "this instance")
  expect((await shop.services.billing.order(order.id))?.status).toBe("paid")
})

test("the sweep finds a payment of an order without an open page", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.gateway.reports("paid", TOTAL)
  shop.wait(3 * MINUTE)
  await sweep(shop.services, "this instance")
  expect((await shop.services.billing.order(order.id))?.status).toBe("paid")
})

test("an order at a gateway without polling stays unchanged until its callback", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.gateway.cannotBePolled()
  shop.gateway.reports("paid", TOTAL)
  shop.wait(3 * MINUTE)
  await sweep(shop.services, "this instance")
  expect(await getOrderProgress(shop.services, order.id)).toMatchObject({
    order: { status: "awaiting-payment" },
    pay: { host: "pay.test" },
  })
  expect(shop.log.filter(({ level }) => Number(level) > 30)).toEqual([])
})

test("an order at a gateway without polling expires after a day and can be cancelled before", async () => {
  const shop = await openTestShop()
  shop.gateway.cannotBePolled()
  const [unchanged, given] = [await buy(shop), await buy(shop, { key: "draft-2" })]
  await cancelUnpaidOrder(shop.services, given.order.id)
  expect((await shop.services.billing.order(given.order.id))?.status).toBe("cancelled")
  shop.wait(DAY + MINUTE)
  await sweep(shop.services, "this instance")
  expect((await shop.services.billing.order(unchanged.order.id))?.status).toBe("expired")
})

test("the sweep polls the gateway before it expires an order", async () => {
  const shop = await openTestShop()
  const unpaid = await buy(shop)
  shop.wait(DAY + MINUTE)
  await sweep(shop.services, "this instance")
  expect(shop.gateway.requests).toHaveLength(1)
  expect((await shop.services.billing.order(unpaid.order.id))?.status).toBe("expired")
})

test("an order paid in its last minute does not expire", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.gateway.reports("paid", TOTAL)
  shop.wait(DAY + MINUTE)
  await sweep(shop.services, "this instance")
  expect((await shop.services.billing.order(order.id))?.status).toBe("paid")
})

test("concurrent sweeps of two instances poll a payment once", async () => {
  const shop = await openTestShop()
  await buy(shop)
  shop.wait(3 * MINUTE)
  await Promise.all([sweep(shop.services, "one"), sweep(shop.services, "another")])
  expect(shop.gateway.requests).toHaveLength(1)
})
