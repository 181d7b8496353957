import { describe, expect, test } from "vitest"
import type { NewUpsell } from "~/billing/billing"
import { DAY, HOUR } from "~/domain/calendar"
import { money } from "~/domain/money"
import type { Order } from "~/domain/order"
import { quoteUpsell } from "~/domain/upsell"
import {
  type BooksUnderTest,
  NOON,
  news,
  opened,
  orderNow,
  placed,
  promotions,
  storyOf,
  together,
  unique,
} from "./billing-fixtures"

/** One more connection costs EUR 2.50. */
const extra = { optionId: "2", choiceId: "5", name: "Extra connection", price: money(250, "EUR") }

export function upsellContract(books: () => BooksUnderTest): void {
  describe("more connections for a service", () => {
    test("are an order and an invoice of their own, and no service", async () => {
      const { base, upsell } = await ordered(books(), { quantity: 2 })
      expect(upsell).toMatchObject({
        ...{ kind: "upsell", serviceId: base.serviceId, customerId: base.customerId, status: "placed" },
        ...{ total: money(500, "EUR"), lines: [{ kind: "moreConnections", quantity: 2 }] },
      })
      expect(upsell.invoiceId).not.toBe(base.invoiceId)
      expect((await service(books(), base)).connections).toBe(1)
    })

    test("are there once they are paid, and the panel is to be told, once", async () => {
      const { base, upsell } = await ordered(books(), { quantity: 2 })
      const attempt = await opened(books(), upsell, 500)
      await books().till.record("offshore", news(attempt, "paid", 500), NOON)
      await books().till.record("offshore", news(attempt, "paid", 500), NOON)
      expect((await service(books(), base)).connections).toBe(3)
      const jobs = await books().outbox.claim(NOON, HOUR, 9)
      expect(jobs.filter(({ topic }) => topic === "connections")).toMatchObject([{ subject: upsell.id }])

      await together(5, () => books().billing.connectionsSet(upsell.id, NOON))
      expect((await orderNow(books(), upsell)).status).toBe("active")
      expect(await storyOf(books(), upsell)).toEqual(["placed", "handed-off", "paid", "provisioned"])
    })

    test("of two orders paid at once add up", async () => {
      const { base, upsell } = await ordered(books(), { quantity: 2 })
      const second = await books().billing.addInvoice(wish(base, { quantity: 3 }))
      const attempts = [await opened(books(), upsell, 500), await opened(books(), second, 750)]
      await Promise.all(
        attempts.map((it) => books().till.record("offshore", news(it, "paid", it.amount.minor), NOON)),
      )
      expect((await service(books(), base)).connections).toBe(6)
    })

    test("are ordered once, however often and at once the form is sent", async () => {
      const { base } = await ordered(books())
      const again = wish(base)
      const orders = await together(10, () => books().billing.addInvoice(again))
      expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
    })

    test("given up leave the service as it was; paid after all they come", async () => {
      const { base, upsell } = await ordered(books())
      const attempt = await opened(books(), upsell, 250)
      await books().billing.moveOrder(upsell.id, "aborted", NOON)
      expect(await service(books(), base)).toMatchObject({ status: "Active", connections: 1 })
      await books().till.record("offshore", news(attempt, "paid", 250), NOON)
      expect((await service(books(), base)).connections).toBe(2)
      expect(await storyOf(books(), upsell)).toContain("late")
    })

    test("are refused for a service of somebody else, one that is not active, and a total that is none", async () => {
      const { base } = await ordered(books())
      const pending = await placed(books())
      const { billing } = books()
      const refused = { kind: "refused" }
      await expect(billing.addInvoice({ ...wish(base), customerId: "another" })).rejects.toMatchObject(
        refused,
      )
      await expect(billing.addInvoice(wish(pending))).rejects.toMatchObject(refused)
      const wrong = { ...quoteUpsell(extra, 1), total: money(1, "EUR") }
      await expect(billing.addInvoice({ ...wish(base), quote: wrong })).rejects.toMatchObject(refused)
    })

    test("are refused by the key of an order for another service", async () => {
      const { base, key } = await ordered(books())
      const other = await active(books())
      await expect(books().billing.addInvoice({ ...wish(other), key })).rejects.toMatchObject({
        kind: "refused",
      })
      expect(base.id).not.toBe(other.id)
    })
  })
}

/** A paid plan whose service works. */
export async function active(books: BooksUnderTest): Promise<Order> {
  const order = await placed(books, {}, promotions.free)
  await books.billing.activateService(order.serviceId, { host: "https://tv.test" }, NOON)
  return order
}

function wish(base: Order, { quantity = 1 }: { quantity?: number } = {}): NewUpsell {
  return {
    ...{ key: unique(), customerId: base.customerId, serviceId: base.serviceId, quantity },
    quote: quoteUpsell(extra, quantity),
    ...{ gateway: "offshore", locale: "de-de", address: "192.0.2.7", number: unique },
    ...{ at: NOON, deadline: NOON + DAY },
  }
}

async function ordered(books: BooksUnderTest, changes: { quantity?: number } = {}) {
  const base = await active(books)
  const asked = wish(base, changes)
  return { base, upsell: await books.billing.addInvoice(asked), key: asked.key }
}

async function service({ billing }: BooksUnderTest, { serviceId }: Order) {
  const found = await billing.service(serviceId)
  if (!found) throw new Error(`No service ${serviceId}`)
  return found
}
