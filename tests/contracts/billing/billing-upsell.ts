import { describe, expect, test } from "vitest"
import type { NewUpsell } from "~/billing/new-order"
import { DAY, HOUR } from "~/domain/calendar"
import { money } from "~/domain/money"
import type { Order } from "~/domain/order"
import { quoteUpsell } from "~/domain/upsell"
import {
  active,
  type BillingUnderTest,
  NOON,
  news,
  opened,
  orderNow,
  placed,
  timelineKinds,
  together,
  unique,
} from "./billing-fixtures"

/** One more connection costs EUR 2.50. */
const extra = { optionId: "2", choiceId: "5", name: "Extra connection", price: money(250, "EUR") }

export function upsellContract(books: () => BillingUnderTest): void {
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
      await books().payments.recordPaymentUpdate("offshore", news(attempt, "paid", 500), NOON)
      await books().payments.recordPaymentUpdate("offshore", news(attempt, "paid", 500), NOON)
      expect((await service(books(), base)).connections).toBe(3)
      const jobs = await books().outbox.claim(NOON, HOUR, 9)
      expect(jobs.filter(({ topic }) => topic === "connections")).toMatchObject([{ subject: upsell.id }])

      await together(5, () => books().billing.markConnectionsProvisioned(upsell.id, NOON))
      expect((await orderNow(books(), upsell)).status).toBe("active")
      expect(await timelineKinds(books(), upsell)).toEqual(["placed", "handed-off", "paid", "provisioned"])
    })

    test("of two orders paid at once add up", async () => {
      const { base, upsell } = await ordered(books(), { quantity: 2 })
      const second = await books().billing.addInvoice(wish(base, { quantity: 3 }))
      const attempts = [await opened(books(), upsell, 500), await opened(books(), second, 750)]
      await Promise.all(
        attempts.map((it) =>
          books().payments.recordPaymentUpdate("offshore", news(it, "paid", it.amount.minor), NOON),
        ),
      )
      expect((await service(books(), base)).connections).toBe(6)
    })

    test("of two orders paid at once by the operator's word add up too", async () => {
      const { base, upsell } = await ordered(books(), { quantity: 2 })
      const second = await books().billing.addInvoice(wish(base, { quantity: 3 }))
      await Promise.all(
        [upsell, second, upsell].map(({ id }) => books().billing.applyOrderEvent(id, "paid", NOON)),
      )
      expect((await service(books(), base)).connections).toBe(6)
      expect(await connectionJobs(books())).toEqual([upsell.id, second.id].sort())
    })

    test("of nothing to pay are there at once", async () => {
      const { base } = await ordered(books())
      const free = quoteUpsell({ ...extra, price: money(0, "EUR") }, 2)
      const order = await books().billing.addInvoice({ ...wish(base, { quantity: 2 }), quote: free })
      expect(order.status).toBe("paid")
      expect(await timelineKinds(books(), order)).toEqual(["placed", "paid"])
      expect((await service(books(), base)).connections).toBe(3)
      expect(await connectionJobs(books())).toEqual([order.id])
    })

    test("are ordered once, however often and at once the form is sent", async () => {
      const { base } = await ordered(books())
      const again = wish(base)
      const orders = await together(10, () => books().billing.addInvoice({ ...again, number: unique }))
      expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
    })

    test("ordered with the same key again are the first order, whatever else is asked", async () => {
      const { base, upsell, key } = await ordered(books())
      const other = { ...wish(base, { quantity: 3 }), key }
      expect(await books().billing.addInvoice(other)).toEqual(upsell)
      const wrongTotal = { ...other.quote, total: money(1, "EUR") }
      expect(await books().billing.addInvoice({ ...other, quote: wrongTotal })).toEqual(upsell)
    })

    test.each(["aborted", "deadlinePassed"] as const)(
      "given up (%s) leave the service as it was; paid after all they come",
      async (event) => {
        const { base, upsell } = await ordered(books())
        const attempt = await opened(books(), upsell, 250)
        await books().billing.applyOrderEvent(upsell.id, event, NOON)
        expect(await service(books(), base)).toMatchObject({ status: "Active", connections: 1 })
        await books().payments.recordPaymentUpdate("offshore", news(attempt, "paid", 250), NOON)
        expect(await service(books(), base)).toMatchObject({ status: "Active", connections: 2 })
        expect(await timelineKinds(books(), upsell)).toContain("late")
        expect(await connectionJobs(books())).toEqual([upsell.id])
      },
    )

    test("bought for a line that is being made anew are in its number already", async () => {
      const { base, upsell } = await ordered(books())
      const fresh = { username: "TVZZZZZZZZ", password: "9999999999" }
      await books().billing.recreateService(base.serviceId, fresh, NOON)
      await books().billing.applyOrderEvent(upsell.id, "paid", NOON)
      expect(await service(books(), base)).toMatchObject({ status: "Pending", connections: 2 })
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
      await expect(billing.addInvoice({ ...wish(base), serviceId: "none" })).rejects.toMatchObject(refused)
      const wrong = { ...quoteUpsell(extra, 1), total: money(1, "EUR") }
      await expect(billing.addInvoice({ ...wish(base), quote: wrong })).rejects.toMatchObject(refused)
    })

    test.each([
      ["more are asked for than the lines are for", 2, 1],
      ["fewer are asked for than the lines are for", 1, 2],
      ["none are asked for", 0, 0],
    ])("are refused when %s, and nothing is stored", async (_, quantity, charged) => {
      const asked = wish(await active(books()), { quantity })
      const refused = books().billing.addInvoice({ ...asked, quote: quoteUpsell(extra, charged) })
      await expect(refused).rejects.toMatchObject({ name: "BillingError", kind: "refused" })
      const right = { ...asked, quantity: 1, quote: quoteUpsell(extra, 1) }
      expect(await books().billing.addInvoice(right)).toMatchObject({ total: money(250, "EUR") })
    })

    test("are refused by the key of somebody else's order, and by the key of a plan's", async () => {
      const { key } = await ordered(books())
      const planKey = unique()
      const other = await active(books(), { key: planKey })
      const refused = { name: "BillingError", kind: "refused" }
      const by = (taken: string) => books().billing.addInvoice({ ...wish(other), key: taken })
      await expect(by(key)).rejects.toMatchObject(refused)
      await expect(by(planKey)).rejects.toMatchObject(refused)
    })
  })
}

function wish(base: Order, { quantity = 1 }: { quantity?: number } = {}): NewUpsell {
  return {
    ...{ key: unique(), customerId: base.customerId, serviceId: base.serviceId, quantity },
    quote: quoteUpsell(extra, quantity),
    ...{ gateway: "offshore", locale: "de-de", address: "192.0.2.7", number: unique },
    ...{
      at: NOON,
      deadline: NOON + DAY,
      accessScope: null,
      creditScope: "none",
      holdReason: null,
      browser: null,
    },
  }
}

async function ordered(books: BillingUnderTest, changes: { quantity?: number } = {}) {
  const base = await active(books)
  const asked = wish(base, changes)
  return { base, upsell: await books.billing.addInvoice(asked), key: asked.key }
}

/** The orders whose connections the panel is to be told of, by number. */
async function connectionJobs({ outbox }: BillingUnderTest): Promise<string[]> {
  const jobs = await outbox.claim(NOON, HOUR, 9)
  return jobs.flatMap(({ topic, subject }) => (topic === "connections" ? [subject] : [])).sort()
}

async function service({ billing }: BillingUnderTest, { serviceId }: Order) {
  const found = await billing.service(serviceId)
  if (!found) throw new Error(`No service ${serviceId}`)
  return found
}
