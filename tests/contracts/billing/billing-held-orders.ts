import { describe, expect, test } from "vitest"
import type { NewUpsell } from "~/billing/new-order"
import { DAY, HOUR } from "~/domain/calendar"
import { money } from "~/domain/money"
import type { Order } from "~/domain/order"
import { quoteUpsell } from "~/domain/upsell"
import {
  active,
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
  wishFor,
} from "./billing-fixtures"
import { reseller } from "./reseller-fixtures"

const eur = (minor: number) => money(minor, "EUR")
const held = { holdReason: "blocked country XK" } as const
const extra = { optionId: "2", choiceId: "5", name: "Extra connection", price: eur(250) }

/** Orders that are held as suspicious from the moment they are written, and what the operator makes of them. */
export function heldOrdersContract(books: () => BooksUnderTest): void {
  const usesLeft = async (code: string) => (await books().billing.promotion(code))?.usesLeft
  const credit = ({ customerId }: Order) => books().till.credit(customerId, "EUR")
  const jobs = async () => (await books().outbox.claim(NOON, HOUR, 9)).map(({ subject }) => subject)

  /** A customer with so much account credit. */
  const withCredit = async (minor: number): Promise<Order> => {
    const order = await placed(books())
    await books().till.record("offshore", news(await opened(books(), order), "paid", 2_000 + minor), NOON)
    return orderNow(books(), order)
  }

  describe("an order that is held from the beginning", () => {
    test("sets nothing up where nothing is owed for it, and uses no code", async () => {
      const order = await placed(books(), held, promotions.free)
      expect(order).toMatchObject({ status: "fraud", total: eur(0) })
      expect(await books().billing.service(order.serviceId)).toMatchObject({ status: "Cancelled" })
      expect(await jobs()).toEqual([])
      await placed(books(), held, promotions.five)
      expect(await usesLeft("FIVE")).toBe(5)
    })

    test("is told with the reason, in the moment in which it is placed", async () => {
      const order = await placed(books(), held)
      expect(await books().billing.timeline(order.id)).toEqual([
        { kind: "placed", at: NOON, amount: eur(2_000), reference: null },
        { kind: "flagged", at: NOON, amount: null, reference: "blocked country XK" },
      ])
    })

    test("leaves account credit alone that would pay all of it", async () => {
      const before = await withCredit(3_000)
      const { customerId } = before
      const order = await placed(books(), { ...held, customerId, creditScope: "account" })
      expect(order).toMatchObject({ status: "fraud", credited: eur(0) })
      expect(await credit(before)).toEqual(eur(3_000))
      expect(await jobs()).not.toContain(order.serviceId)
    })

    test("is opened no payment for", async () => {
      const order = await placed(books(), held)
      await expect(opened(books(), order)).rejects.toMatchObject({ kind: "refused" })
    })

    test("is the same order when its form is sent again, also when nothing is held against it by then", async () => {
      const wish = await wishFor(books().billing, held, promotions.free)
      const orders = await together(5, () => books().billing.placeOrder({ ...wish, number: unique }))
      orders.push(await books().billing.placeOrder({ ...wish, holdReason: null }))
      expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
      expect(orders.map(({ status }) => status)).toEqual(Array(6).fill("fraud"))
    })

    test("for more connections adds none, though credit would pay them", async () => {
      const before = await withCredit(3_000)
      const base = await active(books(), { customerId: before.customerId })
      const upsell = await books().billing.addInvoice({ ...upsellFor(base), ...held })
      expect(upsell).toMatchObject({ status: "fraud", credited: eur(0) })
      expect(await books().billing.service(base.serviceId)).toMatchObject({
        ...{ status: "Active", connections: 1 },
      })
      expect(await storyOf(books(), upsell)).toEqual(["placed", "flagged"])
      expect(await jobs()).not.toContain(upsell.id)
    })

    test("for a line takes none of the reseller's credits and makes no line", async () => {
      const { customerId, line } = await reseller(books())
      const made = await books().billing.createLine({ ...line(), ...held })
      expect(made.status).toBe("fraud")
      expect(await books().billing.service(made.serviceId)).toMatchObject({ status: "Cancelled" })
      expect((await books().billing.credits({ id: customerId, reach: "account" }, 9)).balance).toBe(25)
      expect(await jobs()).not.toContain(made.serviceId)
    })
  })
}

function upsellFor(base: Order): NewUpsell {
  return {
    ...{ key: unique(), customerId: base.customerId, serviceId: base.serviceId, quantity: 1 },
    quote: quoteUpsell(extra, 1),
    ...{ gateway: "offshore", locale: "de-de", address: "192.0.2.7", number: unique },
    ...{
      at: NOON,
      deadline: NOON + DAY,
      accessScope: { reach: "account" },
      creditScope: "account",
      holdReason: null,
      browser: null,
    },
  }
}
