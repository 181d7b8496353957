import { describe, expect, test } from "vitest"
import type { NewUpsell } from "~/billing/orders/new-order"
import { DAY, HOUR } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { quoteUpsell } from "~/domain/services/upsell"
import {
  active,
  type BillingUnderTest,
  NOON,
  opened,
  orderNow,
  paymentUpdate,
  placed,
  timelineKinds,
  together,
  unique,
} from "./billing-fixtures"

/** An extra connection at EUR 2.50. */
const extra = { optionId: "2", choiceId: "5", name: "Extra connection", price: money(250, "EUR") }

export function upsellContract(backend: () => BillingUnderTest): void {
  describe("extra connections for a service", () => {
    test("extra connections have their own order and invoice and no service", async () => {
      const { base, upsell } = await ordered(backend(), { quantity: 2 })
      expect(upsell).toMatchObject({
        kind: "upsell",
        serviceId: base.serviceId,
        customerId: base.customerId,
        status: "placed",
        total: money(500, "EUR"),
        lines: [{ kind: "moreConnections", quantity: 2 }],
      })
      expect(upsell.invoiceId).not.toBe(base.invoiceId)
      expect((await service(backend(), base)).connections).toBe(1)
    })

    test("extra connections are added once when they are paid, and a panel job is enqueued", async () => {
      const { base, upsell } = await ordered(backend(), { quantity: 2 })
      const attempt = await opened(backend(), upsell, 500)
      await backend().payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 500), NOON)
      await backend().payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 500), NOON)
      expect((await service(backend(), base)).connections).toBe(3)
      const jobs = await backend().outbox.claim(NOON, HOUR, 9)
      expect(jobs.filter(({ topic }) => topic === "connections")).toMatchObject([{ subject: upsell.id }])

      await together(5, () => backend().billing.markConnectionsProvisioned(upsell.id, NOON))
      expect((await orderNow(backend(), upsell)).status).toBe("active")
      expect(await timelineKinds(backend(), upsell)).toEqual(["placed", "handed-off", "paid", "provisioned"])
    })

    test("the paid orders of a service are those that created and extended it, newest first", async () => {
      const { base, upsell } = await ordered(backend(), { quantity: 2 })
      const paid = () => backend().billing.paidOrdersOf(base.serviceId, 9)
      expect((await paid()).map(({ id }) => id)).toEqual([base.id])
      const attempt = await opened(backend(), upsell, 500)
      await backend().payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 500), NOON)
      const both = await paid()
      expect(both.map(({ id }) => id).sort()).toEqual([base.id, upsell.id].sort())
      expect(both.find(({ id }) => id === upsell.id)?.lines).toMatchObject([{ kind: "moreConnections" }])
      expect(await backend().billing.paidOrdersOf(base.serviceId, 1)).toHaveLength(1)
      expect(await backend().billing.paidOrdersOf(unique(), 9)).toEqual([])
    })

    test("partly paid connections are found by their service until their deadline, and until they are paid", async () => {
      const { base, upsell } = await ordered(backend(), { quantity: 2 })
      const { billing, payments } = backend()
      const partly = async (at = NOON) => (await billing.partlyPaidOrderOf(base.serviceId, at))?.id ?? null
      expect(await partly()).toBeNull()
      const attempt = await opened(backend(), upsell, 500)
      await payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "partially-paid", 1), NOON)
      expect(await partly()).toBe(upsell.id)
      expect(await partly(upsell.deadline)).toBeNull()
      await payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 500), NOON)
      expect(await partly()).toBeNull()
    })

    test("the paid orders of a customer are those of all services in scope, and no unpaid one", async () => {
      const { base, upsell } = await ordered(backend(), { quantity: 2 })
      const { customerId: id } = base
      const paid = (limit = 9) => backend().billing.paidOrdersOfCustomer({ id, reach: "account" }, limit)
      expect((await paid()).map((order) => order.id)).toEqual([base.id])
      const attempt = await opened(backend(), upsell, 500)
      await backend().payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 500), NOON)
      expect((await paid()).map((order) => order.id).sort()).toEqual([base.id, upsell.id].sort())
      expect(await paid(1)).toHaveLength(1)
      for (const passwordId of [undefined, "another password"]) {
        const signUp = { id, reach: "sign-up", passwordId } as const
        expect(await backend().billing.paidOrdersOfCustomer(signUp, 9)).toEqual([])
      }
    })

    test("extra connections of two orders that are paid concurrently add up", async () => {
      const { base, upsell } = await ordered(backend(), { quantity: 2 })
      const second = await backend().billing.addInvoice(upsellRequest(base, { quantity: 3 }))
      const attempts = [await opened(backend(), upsell, 500), await opened(backend(), second, 750)]
      await Promise.all(
        attempts.map((it) =>
          backend().payments.recordPaymentUpdate(
            "offshore",
            paymentUpdate(it, "paid", it.amount.minor),
            NOON,
          ),
        ),
      )
      expect((await service(backend(), base)).connections).toBe(6)
    })

    test("extra connections of two orders that the operator marks paid concurrently add up", async () => {
      const { base, upsell } = await ordered(backend(), { quantity: 2 })
      const second = await backend().billing.addInvoice(upsellRequest(base, { quantity: 3 }))
      await Promise.all(
        [upsell, second, upsell].map(({ id }) => backend().billing.applyOrderEvent(id, "paid", NOON)),
      )
      expect((await service(backend(), base)).connections).toBe(6)
      expect(await connectionJobs(backend())).toEqual([upsell.id, second.id].sort())
    })

    test("extra connections without an amount due are added immediately", async () => {
      const { base } = await ordered(backend())
      const free = quoteUpsell({ ...extra, price: money(0, "EUR") }, 2)
      const order = await backend().billing.addInvoice({
        ...upsellRequest(base, { quantity: 2 }),
        quote: free,
      })
      expect(order.status).toBe("paid")
      expect(await timelineKinds(backend(), order)).toEqual(["placed", "paid"])
      expect((await service(backend(), base)).connections).toBe(3)
      expect(await connectionJobs(backend())).toEqual([order.id])
    })

    test("repeated and concurrent submissions of one form order extra connections once", async () => {
      const { base } = await ordered(backend())
      const again = upsellRequest(base)
      const orders = await together(10, () => backend().billing.addInvoice({ ...again, number: unique }))
      expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
    })

    test("an upsell with a used idempotency key returns the first order, whatever else the request contains", async () => {
      const { base, upsell, key } = await ordered(backend())
      const other = { ...upsellRequest(base, { quantity: 3 }), key }
      expect(await backend().billing.addInvoice(other)).toEqual(upsell)
      const wrongTotal = { ...other.quote, total: money(1, "EUR") }
      expect(await backend().billing.addInvoice({ ...other, quote: wrongTotal })).toEqual(upsell)
    })

    test.each(["aborted", "deadlinePassed"] as const)(
      "a cancelled upsell (%s) leaves the service unchanged, and a late payment adds the connections",
      async (event) => {
        const { base, upsell } = await ordered(backend())
        const attempt = await opened(backend(), upsell, 250)
        await backend().billing.applyOrderEvent(upsell.id, event, NOON)
        expect(await service(backend(), base)).toMatchObject({ status: "Active", connections: 1 })
        await backend().payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 250), NOON)
        expect(await service(backend(), base)).toMatchObject({ status: "Active", connections: 2 })
        expect(await timelineKinds(backend(), upsell)).toContain("late")
        expect(await connectionJobs(backend())).toEqual([upsell.id])
      },
    )

    test("connections bought while a line is recreated are included in its number", async () => {
      const { base, upsell } = await ordered(backend())
      const fresh = { username: "TVZZZZZZZZ", password: "9999999999" }
      await backend().billing.recreateService(await service(backend(), base), fresh, NOON)
      await backend().billing.applyOrderEvent(upsell.id, "paid", NOON)
      expect(await service(backend(), base)).toMatchObject({ status: "Pending", connections: 2 })
    })

    test("an upsell is rejected for another customer's service, an inactive service and an invalid total", async () => {
      const { base } = await ordered(backend())
      const pending = await placed(backend())
      const { billing } = backend()
      const refused = { kind: "refused" }
      await expect(
        billing.addInvoice({ ...upsellRequest(base), customerId: "another" }),
      ).rejects.toMatchObject(refused)
      await expect(billing.addInvoice(upsellRequest(pending))).rejects.toMatchObject(refused)
      await expect(billing.addInvoice({ ...upsellRequest(base), serviceId: "none" })).rejects.toMatchObject(
        refused,
      )
      const wrong = { ...quoteUpsell(extra, 1), total: money(1, "EUR") }
      await expect(billing.addInvoice({ ...upsellRequest(base), quote: wrong })).rejects.toMatchObject(
        refused,
      )
    })

    test.each([
      ["more connections are requested than invoiced", 2, 1],
      ["fewer connections are requested than invoiced", 1, 2],
      ["no connections are requested", 0, 0],
    ])("an upsell is rejected when %s, and nothing is stored", async (_, quantity, charged) => {
      const upsell = upsellRequest(await active(backend()), { quantity })
      const refused = backend().billing.addInvoice({ ...upsell, quote: quoteUpsell(extra, charged) })
      await expect(refused).rejects.toMatchObject({ name: "BillingError", kind: "refused" })
      const right = { ...upsell, quantity: 1, quote: quoteUpsell(extra, 1) }
      expect(await backend().billing.addInvoice(right)).toMatchObject({ total: money(250, "EUR") })
    })

    test("an upsell is rejected with the idempotency key of another customer's order or of a plan's order", async () => {
      const { key } = await ordered(backend())
      const planKey = unique()
      const other = await active(backend(), { key: planKey })
      const refused = { name: "BillingError", kind: "refused" }
      const by = (taken: string) => backend().billing.addInvoice({ ...upsellRequest(other), key: taken })
      await expect(by(key)).rejects.toMatchObject(refused)
      await expect(by(planKey)).rejects.toMatchObject(refused)
    })

    test("an upsell is rejected with the idempotency key of an upsell for another service of the customer", async () => {
      const { base, key } = await ordered(backend())
      const other = await active(backend(), { customerId: base.customerId })
      const again = { ...upsellRequest(other), key }
      await expect(backend().billing.addInvoice(again)).rejects.toMatchObject({ kind: "refused" })
    })
  })
}

function upsellRequest(base: Order, { quantity = 1 }: { quantity?: number } = {}): NewUpsell {
  return {
    key: unique(),
    customerId: base.customerId,
    serviceId: base.serviceId,
    quantity,
    quote: quoteUpsell(extra, quantity),
    gateway: "offshore",
    locale: "de-de",
    address: "192.0.2.7",
    number: unique,
    at: NOON,
    deadline: NOON + DAY,
    accessScope: null,
    accountCreditScope: "none",
    holdReason: null,
    browser: null,
  }
}

async function ordered(backend: BillingUnderTest, changes: { quantity?: number } = {}) {
  const base = await active(backend)
  const upsell = upsellRequest(base, changes)
  return { base, upsell: await backend.billing.addInvoice(upsell), key: upsell.key }
}

/** Lists the ids of the orders with a due job that updates connections at the panel. */
async function connectionJobs({ outbox }: BillingUnderTest): Promise<string[]> {
  const jobs = await outbox.claim(NOON, HOUR, 9)
  return jobs.flatMap(({ topic, subject }) => (topic === "connections" ? [subject] : [])).sort()
}

async function service({ billing }: BillingUnderTest, { serviceId }: Order) {
  const found = await billing.service(serviceId)
  if (!found) throw new Error(`No service ${serviceId}`)
  return found
}
