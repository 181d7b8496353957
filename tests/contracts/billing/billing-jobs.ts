import { describe, expect, test } from "vitest"
import { DAY, HOUR, MINUTE, SECOND } from "~/domain/calendar"
import type { Order } from "~/domain/order"
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

/** Setting services up, and the jobs that lead there. */
export function jobsContract(backend: () => BillingUnderTest): void {
  const paid = (): Promise<Order> => placed(backend(), {}, promotions.free)
  const claim = (now: number) => backend().outbox.claim(now, MINUTE, 10)

  describe("setting up a service", () => {
    test("makes it and its order active, and tells so once, however often it is said", async () => {
      const order = await paid()
      const host = "https://tv.test:8443"
      await together(5, () => backend().billing.activateService(order.serviceId, { host }, NOON))
      expect(await backend().billing.service(order.serviceId)).toMatchObject({ status: "Active", host })
      expect(await orderNow(backend(), order)).toMatchObject({ status: "active" })
      expect(await timelineKinds(backend(), order)).toEqual(["placed", "paid", "provisioned"])
    })

    test("that takes longer is told once", async () => {
      const order = await paid()
      await together(5, () => backend().billing.recordProvisioningDelay(order.id, NOON))
      expect(await timelineKinds(backend(), order)).toEqual(["placed", "paid", "provisioning-delayed"])
    })

    test("that is done is never told to take longer", async () => {
      const order = await paid()
      await backend().billing.activateService(order.serviceId, { host: "https://tv.test" }, NOON)
      await backend().billing.recordProvisioningDelay(order.id, NOON)
      expect(await timelineKinds(backend(), order)).not.toContain("provisioning-delayed")
    })
  })

  describe("a job", () => {
    test("is given to one of ten who ask at once", async () => {
      const order = await paid()
      const given = (await together(10, () => claim(NOON))).flat()
      expect(given.map(({ subject }) => subject)).toEqual([order.serviceId])
    })

    test("whose worker died is given to another when the lease is over, and not before", async () => {
      await paid()
      const [job] = await claim(NOON)
      expect(await claim(NOON + MINUTE - 1)).toEqual([])
      expect(await claim(NOON + MINUTE)).toMatchObject([{ id: job?.id, subject: job?.subject }])
    })

    test("is not due before the order was paid", async () => {
      await paid()
      expect(await claim(NOON - 1)).toEqual([])
    })

    test("that is done never comes back", async () => {
      await paid()
      for (const job of await claim(NOON)) await backend().outbox.complete(job)
      expect(await claim(NOON + HOUR)).toEqual([])
    })

    test("that was postponed comes back when it is due and counts its tries", async () => {
      await paid()
      for (const job of await claim(NOON))
        await backend().outbox.reschedule(job, { at: NOON, due: NOON + 10 * SECOND, reason: "panel down" })
      expect(await claim(NOON + 10 * SECOND - 1)).toEqual([])
      expect(await claim(NOON + 10 * SECOND)).toMatchObject([{ tries: 1 }])
    })

    test("that was parked waits for the operator", async () => {
      await paid()
      for (const job of await claim(NOON))
        await backend().outbox.reschedule(job, { at: NOON, due: null, reason: "given up" })
      expect(await claim(NOON + HOUR)).toEqual([])
    })

    test("that a clock gone wrong has put off is due as soon as the clock is right again", async () => {
      const order = await paid()
      await claim(NOON + DAY)
      expect(await claim(NOON)).toMatchObject([{ subject: order.serviceId }])
      expect(await claim(NOON + MINUTE - 1)).toEqual([])
    })

    test("that is renewed by its worker is given to no other, however long it takes", async () => {
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

    test("that has been renewed is put off, done or promised again like any other", async () => {
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
      await backend().billing.recreateService(serviceId, fresh, NOON + MINUTE)
      await backend().outbox.complete(await held(NOON + MINUTE))
      expect(await claim(NOON + DAY)).toEqual([])
    })

    test("whose worker renewed it by a clock gone wrong is given to another when the clock is right", async () => {
      await paid()
      const [job] = await claim(NOON + DAY)
      if (!job) throw new Error("no job")
      await backend().outbox.renew(job, NOON + DAY, NOON + DAY + MINUTE)
      expect(await claim(NOON)).toMatchObject([{ id: job.id }])
    })

    test.each([
      ["a week", 7 * DAY],
      ["a year", 365 * DAY],
    ])("that is to be done in %s is done then, whatever the clock does meanwhile", async (_, ahead) => {
      const { serviceId } = await active(backend())
      for (const job of await claim(NOON)) await backend().outbox.complete(job)
      await backend().billing.scheduleRecreation(serviceId, NOON, NOON + ahead)
      const fellBack = [0, NOON - ahead, NOON - HOUR, NOON - 6 * MINUTE]
      for (const now of [...fellBack, NOON, NOON + 3 * HOUR, NOON + ahead - 1])
        expect(await claim(now)).toEqual([])
      expect(await claim(NOON + ahead)).toMatchObject([{ topic: "recreate" }])
    })

    test("that its worker puts off for a week is done in a week, and not when the clock falls back", async () => {
      await paid()
      for (const job of await claim(NOON))
        await backend().outbox.reschedule(job, { at: NOON, due: NOON + 7 * DAY, reason: "not before then" })
      for (const now of [0, NOON - DAY, NOON + 3 * HOUR, NOON + 7 * DAY - 1])
        expect(await claim(now)).toEqual([])
      expect(await claim(NOON + 7 * DAY)).toHaveLength(1)
    })

    test("of next year that a clock gone ahead has begun and put off is tried again once it is right", async () => {
      const { serviceId } = await active(backend())
      for (const job of await claim(NOON)) await backend().outbox.complete(job)
      const wrong = NOON + 400 * DAY
      await backend().billing.scheduleRecreation(serviceId, NOON, NOON + 365 * DAY)
      for (const job of await claim(wrong))
        await backend().outbox.reschedule(job, { at: wrong, due: wrong + HOUR, reason: "panel down" })
      expect(await claim(NOON)).toMatchObject([{ topic: "recreate", tries: 1 }])
    })

    test("waits as long as it was put off, though another instance's clock is some minutes behind", async () => {
      await paid()
      const ahead = NOON + 4 * MINUTE
      for (const job of await claim(ahead))
        await backend().outbox.reschedule(job, { at: ahead, due: ahead + HOUR, reason: "panel down" })
      expect(await claim(NOON)).toEqual([])
    })

    test("list is handed out in portions", async () => {
      await together(3, paid)
      expect(await backend().outbox.claim(NOON, MINUTE, 2)).toHaveLength(2)
      expect(await backend().outbox.claim(NOON, MINUTE, 2)).toHaveLength(1)
    })
  })

  describe("the singleton's lease", () => {
    const lease = (holder: string, now: number) => backend().outbox.lease("sweep", holder, now, MINUTE)

    test("has one holder at a time, who may keep it", async () => {
      expect(await lease("a", NOON)).toBe(true)
      expect(await lease("b", NOON + SECOND)).toBe(false)
      expect(await lease("a", NOON + SECOND)).toBe(true)
    })

    test("falls to another when it is over, and not before", async () => {
      await lease("a", NOON)
      expect(await lease("b", NOON + MINUTE - 1)).toBe(false)
      expect(await lease("b", NOON + MINUTE)).toBe(true)
      expect(await lease("a", NOON + MINUTE)).toBe(false)
    })

    test("that was taken by a clock gone wrong falls to another when the clock is right again", async () => {
      await lease("a", NOON + DAY)
      expect(await lease("b", NOON)).toBe(true)
    })

    test("has one holder when ten want it at once", async () => {
      const names = Array.from({ length: 10 }, (_, index) => `instance ${index}`)
      const got = await Promise.all(names.map((name) => lease(name, NOON)))
      expect(got.filter(Boolean)).toHaveLength(1)
    })
  })
}
