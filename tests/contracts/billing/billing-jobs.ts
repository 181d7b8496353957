import { describe, expect, test } from "vitest"
import { DAY, HOUR, MINUTE, SECOND } from "~/domain/calendar"
import type { Order } from "~/domain/order"
import {
  type BooksUnderTest,
  NOON,
  orderNow,
  placed,
  promotions,
  storyOf,
  together,
} from "./billing-fixtures"

/** Setting services up, and the jobs that lead there. */
export function jobsContract(books: () => BooksUnderTest): void {
  const paid = (): Promise<Order> => placed(books(), {}, promotions.free)
  const claim = (now: number) => books().outbox.claim(now, MINUTE, 10)

  describe("setting up a service", () => {
    test("makes it and its order active, and tells so once, however often it is said", async () => {
      const order = await paid()
      const host = "https://tv.test:8443"
      await together(5, () => books().billing.activateService(order.serviceId, { host }, NOON))
      expect(await books().billing.service(order.serviceId)).toMatchObject({ status: "Active", host })
      expect(await orderNow(books(), order)).toMatchObject({ status: "active" })
      expect(await storyOf(books(), order)).toEqual(["placed", "paid", "provisioned"])
    })

    test("that takes longer is told once", async () => {
      const order = await paid()
      await together(5, () => books().billing.tellDelay(order.id, NOON))
      expect(await storyOf(books(), order)).toEqual(["placed", "paid", "provisioning-delayed"])
    })

    test("that is done is never told to take longer", async () => {
      const order = await paid()
      await books().billing.activateService(order.serviceId, { host: "https://tv.test" }, NOON)
      await books().billing.tellDelay(order.id, NOON)
      expect(await storyOf(books(), order)).not.toContain("provisioning-delayed")
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
      for (const job of await claim(NOON)) await books().outbox.done(job)
      expect(await claim(NOON + HOUR)).toEqual([])
    })

    test("that was postponed comes back when it is due and counts its tries", async () => {
      await paid()
      for (const job of await claim(NOON))
        await books().outbox.postpone(job, NOON + 10 * SECOND, "panel down")
      expect(await claim(NOON + 10 * SECOND - 1)).toEqual([])
      expect(await claim(NOON + 10 * SECOND)).toMatchObject([{ tries: 1 }])
    })

    test("that was parked waits for the operator", async () => {
      await paid()
      for (const job of await claim(NOON)) await books().outbox.postpone(job, null, "given up")
      expect(await claim(NOON + HOUR)).toEqual([])
    })

    test("that a clock gone wrong has put off is due as soon as the clock is right again", async () => {
      const order = await paid()
      await claim(NOON + DAY)
      expect(await claim(NOON)).toMatchObject([{ subject: order.serviceId }])
      expect(await claim(NOON + MINUTE - 1)).toEqual([])
    })

    test("list is handed out in portions", async () => {
      await together(3, paid)
      expect(await books().outbox.claim(NOON, MINUTE, 2)).toHaveLength(2)
      expect(await books().outbox.claim(NOON, MINUTE, 2)).toHaveLength(1)
    })
  })

  describe("the singleton's lease", () => {
    const lease = (holder: string, now: number) => books().outbox.lease("sweep", holder, now, MINUTE)

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
