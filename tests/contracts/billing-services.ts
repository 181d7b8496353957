import { describe, expect, test } from "vitest"
import { HOUR, SECOND } from "~/domain/calendar"
import { money } from "~/domain/money"
import {
  type BooksUnderTest,
  NOON,
  news,
  opened,
  orderNow,
  placed,
  storyOf,
  together,
} from "./billing-fixtures"
import { active } from "./billing-upsell"

const fresh = { username: "TVZZZZZZZZ", password: "9999999999" }

export function servicesContract(books: () => BooksUnderTest): void {
  describe("a service", () => {
    test("keeps its device and the customer's notes", async () => {
      const { serviceId } = await active(books())
      await books().billing.setDeviceAddress(serviceId, "00:1A:79:AB:CD:EF")
      await books().billing.setNotes(serviceId, "Living room\n'; DROP TABLE services; --")
      expect(await books().billing.service(serviceId)).toMatchObject({
        ...{ deviceAddress: "00:1A:79:AB:CD:EF", notes: "Living room\n'; DROP TABLE services; --" },
      })
    })

    test("that was restarted says so in the timeline of the order that made it", async () => {
      const order = await active(books())
      await books().billing.tellRestart(order.serviceId, NOON)
      expect((await storyOf(books(), order)).at(-1)).toBe("restarted")
    })

    test("made anew has other credentials, is to be set up again, and works again", async () => {
      const order = await active(books())
      await finishJobs(books())
      expect(await books().billing.recreateService(order.serviceId, fresh, NOON)).toBe(true)
      expect(await books().billing.service(order.serviceId)).toMatchObject({
        ...{ ...fresh, status: "Pending", host: null },
      })
      const [job] = await books().outbox.claim(NOON, HOUR, 9)
      expect(job).toMatchObject({ topic: "provision", subject: order.serviceId, tries: 0 })
      await books().billing.activateService(order.serviceId, { host: "https://new.test" }, NOON)
      expect(await books().billing.service(order.serviceId)).toMatchObject({
        ...{ status: "Active", host: "https://new.test" },
      })
      expect((await orderNow(books(), order)).status).toBe("active")
    })

    test("is made anew once, when that is asked for ten times at once", async () => {
      const { serviceId } = await active(books())
      const answers = await together(10, () => books().billing.recreateService(serviceId, fresh, NOON))
      expect(answers.filter(Boolean)).toHaveLength(1)
    })

    test("that is not set up yet is not made anew", async () => {
      const { serviceId } = await placed(books())
      expect(await books().billing.recreateService(serviceId, fresh, NOON)).toBe(false)
    })

    test("promised again while its job is carried out is still to be set up afterwards", async () => {
      const { serviceId } = await active(books())
      const [job] = await books().outbox.claim(NOON, HOUR, 9)
      if (!job) throw new Error("no job")
      await books().billing.recreateService(serviceId, fresh, NOON + SECOND)
      await books().outbox.done(job)
      expect(await books().outbox.claim(NOON + SECOND, HOUR, 9)).toMatchObject([{ subject: serviceId }])
      await books().outbox.postpone(job, null, "the first try failed")
      expect(await books().outbox.claim(NOON + 2 * HOUR, HOUR, 9)).toHaveLength(1)
    })
  })

  describe("another gateway for an order", () => {
    test("is noted, told, and its payment is the one that is shown", async () => {
      const order = await placed(books())
      await opened(books(), order)
      expect(await books().till.changeGateway(order.id, "coinbase", NOON)).toBe(true)
      expect(await books().till.changeGateway(order.id, "coinbase", NOON)).toBe(false)
      const second = await opened(books(), { ...order, gateway: "coinbase" })
      expect((await orderNow(books(), order)).gateway).toBe("coinbase")
      expect(await books().till.latestAttempt(order.id)).toMatchObject({ id: second.id })
      expect(await books().till.openAttempts(order.id)).toHaveLength(2)
      const [told] = (await books().billing.timeline(order.id)).filter(
        ({ kind }) => kind === "gateway-changed",
      )
      expect(told?.reference).toBe("coinbase")
    })

    test("is none for an order that takes no money any more", async () => {
      const order = await active(books())
      expect(await books().till.changeGateway(order.id, "coinbase", NOON)).toBe(false)
    })

    test("counts a payment at the first one though it was closed, and the second one is credit", async () => {
      const order = await placed(books())
      const first = await opened(books(), order)
      const second = await opened(books(), { ...order, gateway: "coinbase" })
      await books().till.attemptClosed(first.id)
      expect((await books().till.openAttempts(order.id)).map(({ id }) => id)).toEqual([second.id])
      await books().till.record("offshore", news(first, "paid", 2_000), NOON)
      expect((await orderNow(books(), order)).status).toBe("paid")
      await books().till.record("coinbase", news(second, "paid", 2_000), NOON)
      const { received, credit } = await books().ledger(order.id)
      expect(received).toEqual([money(2_000, "EUR"), money(2_000, "EUR")])
      expect(credit).toEqual([money(2_000, "EUR")])
      expect(await books().outbox.claim(NOON, HOUR, 9)).toHaveLength(1)
    })
  })

  describe("the way back from the gateway", () => {
    test("is for the first who comes by it, of ten at once", async () => {
      const order = await placed(books())
      const attempt = await opened(books(), order)
      const answers = await together(10, () => books().till.redeemReturn(attempt.id, NOON))
      expect(answers.every((it) => it?.orderId === order.id)).toBe(true)
      expect(answers.filter((it) => it?.first)).toHaveLength(1)
    })

    test("leads nowhere when there is no such attempt", async () => {
      expect(await books().till.redeemReturn("nobody", NOON)).toBeNull()
    })
  })
}

async function finishJobs({ outbox }: BooksUnderTest): Promise<void> {
  for (const job of await outbox.claim(NOON, HOUR, 9)) await outbox.done(job)
}
