import { describe, expect, test } from "vitest"
import { DAY, HOUR, MINUTE, SECOND } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import {
  active,
  type BillingUnderTest,
  NOON,
  orderNow,
  placed,
  promotions,
  timelineKinds,
  together,
} from "./billing-fixtures"

/** Tests provisioning and the outbox jobs that lead to it. */
export function jobsContract(backend: () => BillingUnderTest): void {
  const paid = (): Promise<Order> => placed(backend(), {}, promotions.free)
  const claim = (now: number) => backend().outbox.claim(now, MINUTE, 10)

  describe("provisioning a service", () => {
    test("provisioning activates the service and its order and is recorded once, however often it is reported", async () => {
      const order = await paid()
      const host = "https://tv.test:8443"
      await together(5, () => backend().billing.activateService(order.serviceId, { host }, NOON))
      expect(await backend().billing.service(order.serviceId)).toMatchObject({ status: "Active", host })
      expect(await orderNow(backend(), order)).toMatchObject({ status: "active" })
      expect(await timelineKinds(backend(), order)).toEqual(["placed", "paid", "provisioned"])
    })

    test("a provisioning delay is recorded once", async () => {
      const order = await paid()
      await together(5, () => backend().billing.recordProvisioningDelay(order.id, NOON))
      expect(await timelineKinds(backend(), order)).toEqual(["placed", "paid", "provisioning-delayed"])
    })

    test("a provisioning delay is not recorded for a provisioned service", async () => {
      const order = await paid()
      await backend().billing.activateService(order.serviceId, { host: "https://tv.test" }, NOON)
      await backend().billing.recordProvisioningDelay(order.id, NOON)
      expect(await timelineKinds(backend(), order)).not.toContain("provisioning-delayed")
    })
  })

  describe("a job", () => {
    test("a job is claimed by one of ten concurrent workers", async () => {
      const order = await paid()
      const given = (await together(10, () => claim(NOON))).flat()
      expect(given.map(({ subject }) => subject)).toEqual([order.serviceId])
    })

    test("a job of a dead worker is claimed by another only after its lease expires", async () => {
      await paid()
      const [job] = await claim(NOON)
      expect(await claim(NOON + MINUTE - 1)).toEqual([])
      expect(await claim(NOON + MINUTE)).toMatchObject([{ id: job?.id, subject: job?.subject }])
    })

    test("a provisioning job is not due before the order is paid", async () => {
      await paid()
      expect(await claim(NOON - 1)).toEqual([])
    })

    test("a completed job is never due again", async () => {
      await paid()
      for (const job of await claim(NOON)) await backend().outbox.complete(job)
      expect(await claim(NOON + HOUR)).toEqual([])
    })

    test("a rescheduled job is due at its time and counts its attempts", async () => {
      await paid()
      for (const job of await claim(NOON))
        await backend().outbox.reschedule(job, { at: NOON, due: NOON + 10 * SECOND, reason: "panel down" })
      expect(await claim(NOON + 10 * SECOND - 1)).toEqual([])
      expect(await claim(NOON + 10 * SECOND)).toMatchObject([{ tries: 1 }])
    })

    test("a parked job waits for the operator", async () => {
      await paid()
      for (const job of await claim(NOON))
        await backend().outbox.reschedule(job, { at: NOON, due: null, reason: "given up" })
      expect(await claim(NOON + HOUR)).toEqual([])
    })

    test("a job that a wrong clock has rescheduled is due once the clock is right", async () => {
      const order = await paid()
      await claim(NOON + DAY)
      expect(await claim(NOON)).toMatchObject([{ subject: order.serviceId }])
      expect(await claim(NOON + MINUTE - 1)).toEqual([])
    })

    test("a job is not claimed by another worker while its worker renews the lease", async () => {
      await paid()
      const [job] = await claim(NOON)
      if (!job) throw new Error("no job")
      for (const minute of [0.5, 1, 1.5, 2]) {
        const now = NOON + minute * MINUTE
        await backend().outbox.renew(job, now, now + MINUTE)
        expect(await claim(now)).toEqual([])
      }
      expect(await claim(NOON + 3 * MINUTE - 1)).toEqual([])
      expect(await claim(NOON + 3 * MINUTE)).toMatchObject([{ id: job.id }])
    })

    test("a job with a renewed lease can be rescheduled, completed and enqueued again", async () => {
      const { serviceId } = await active(backend())
      const held = async (now: number) => {
        const [job] = await claim(now)
        if (!job) throw new Error("no job")
        await backend().outbox.renew(job, now, now + HOUR)
        return job
      }
      const first = await held(NOON)
      await backend().outbox.reschedule(first, { at: NOON, due: NOON + SECOND, reason: "panel down" })
      await held(NOON + SECOND)
      const fresh = { username: "TVHGFEDCBA", password: "9876543210" }
      const former = await backend().billing.service(serviceId)
      if (!former) throw new Error("no service")
      await backend().billing.recreateService(former, fresh, NOON + MINUTE)
      await backend().outbox.complete(await held(NOON + MINUTE))
      expect(await claim(NOON + DAY)).toEqual([])
    })

    test("a job with a lease renewed by a wrong clock is claimed by another worker once the clock is right", async () => {
      await paid()
      const [job] = await claim(NOON + DAY)
      if (!job) throw new Error("no job")
      await backend().outbox.renew(job, NOON + DAY, NOON + DAY + MINUTE)
      expect(await claim(NOON)).toMatchObject([{ id: job.id }])
    })

    test.each([
      ["a week", 7 * DAY],
      ["a year", 365 * DAY],
    ])("a job that is due in %s is due then, whatever the clock does meanwhile", async (_, ahead) => {
      const { serviceId } = await active(backend())
      for (const job of await claim(NOON)) await backend().outbox.complete(job)
      await backend().billing.scheduleRecreation(serviceId, NOON, NOON + ahead)
      const fellBack = [0, NOON - ahead, NOON - HOUR, NOON - 6 * MINUTE]
      for (const now of [...fellBack, NOON, NOON + 3 * HOUR, NOON + ahead - 1])
        expect(await claim(now)).toEqual([])
      expect(await claim(NOON + ahead)).toMatchObject([{ topic: "recreate" }])
    })

    test("a job of next year is not claimed with one that is due when the clock falls back", async () => {
      const { serviceId } = await active(backend())
      for (const job of await claim(NOON)) await backend().outbox.complete(job)
      await backend().billing.scheduleRecreation(serviceId, NOON + HOUR, NOON + 365 * DAY)
      const due = await paid()
      expect(await claim(NOON)).toEqual([expect.objectContaining({ subject: due.serviceId })])
    })

    test("a job rescheduled by a week is due in a week, not when the clock jumps back", async () => {
      await paid()
      for (const job of await claim(NOON))
        await backend().outbox.reschedule(job, { at: NOON, due: NOON + 7 * DAY, reason: "not before then" })
      for (const now of [0, NOON - DAY, NOON + 3 * HOUR, NOON + 7 * DAY - 1])
        expect(await claim(now)).toEqual([])
      expect(await claim(NOON + 7 * DAY)).toHaveLength(1)
    })

    test("a job that a clock one year ahead has claimed and rescheduled is retried once the clock is right", async () => {
      const { serviceId } = await active(backend())
      for (const job of await claim(NOON)) await backend().outbox.complete(job)
      const wrong = NOON + 400 * DAY
      await backend().billing.scheduleRecreation(serviceId, NOON, NOON + 365 * DAY)
      for (const job of await claim(wrong))
        await backend().outbox.reschedule(job, { at: wrong, due: wrong + HOUR, reason: "panel down" })
      expect(await claim(NOON)).toMatchObject([{ topic: "recreate", tries: 1 }])
    })

    test("a rescheduled job keeps its delay when another instance's clock is some minutes behind", async () => {
      await paid()
      const ahead = NOON + 4 * MINUTE
      for (const job of await claim(ahead))
        await backend().outbox.reschedule(job, { at: ahead, due: ahead + HOUR, reason: "panel down" })
      expect(await claim(NOON)).toEqual([])
    })

    test("due jobs are returned in batches", async () => {
      await together(3, paid)
      expect(await backend().outbox.claim(NOON, MINUTE, 2)).toHaveLength(2)
      expect(await backend().outbox.claim(NOON, MINUTE, 2)).toHaveLength(1)
    })
  })

  describe("the singleton's lease", () => {
    const lease = (holder: string, now: number) => backend().outbox.lease("sweep", holder, now, MINUTE)

    test("a singleton's lease has one holder at a time, which can renew it", async () => {
      expect(await lease("a", NOON)).toBe(true)
      expect(await lease("b", NOON + SECOND)).toBe(false)
      expect(await lease("a", NOON + SECOND)).toBe(true)
    })

    test("a singleton's lease passes to another instance only after it expires", async () => {
      await lease("a", NOON)
      expect(await lease("b", NOON + MINUTE - 1)).toBe(false)
      expect(await lease("b", NOON + MINUTE)).toBe(true)
      expect(await lease("a", NOON + MINUTE)).toBe(false)
    })

    test("a singleton's lease taken by a wrong clock passes to another instance once the clock is right", async () => {
      await lease("a", NOON + DAY)
      expect(await lease("b", NOON)).toBe(true)
    })

    test("a singleton's lease goes to one of ten concurrent instances", async () => {
      const names = Array.from({ length: 10 }, (_, index) => `instance ${index}`)
      const got = await Promise.all(names.map((name) => lease(name, NOON)))
      expect(got.filter(Boolean)).toHaveLength(1)
    })
  })
}
