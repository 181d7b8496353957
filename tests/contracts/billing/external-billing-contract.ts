import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Service } from "~/domain/service"
import { NOON, placed, promotions, unique, wishFor } from "./billing-fixtures"
import type { BesideUnderTest } from "./mirror"

/** Somebody else's billing system, as a test looks at it and plays with it. */
export type TheirSide = {
  readonly books: BesideUnderTest
  /** Orders for plans that they have, the oldest first; totals in minor units. */
  orders(): Promise<readonly { status: "open" | "paid" | "cancelled"; total: number }[]>
  /** Makes the next order, and its answer is lost on the way. */
  loseNextOrder(): void
  away(isAway: boolean): void
  /** What people decide there about the newest order. */
  readonly staff: { markPaid(): Promise<void>; cancel(): Promise<void> }
  /** Somebody buys a plan there and not here, and it works: his service's number. */
  sellThere(email: string): Promise<string>
  close(): Promise<void>
}

/** What whoever keeps the books elsewhere comes to know, and what we come to know of them. */
export function besideContract(keeper: string, open: () => Promise<TheirSide>): void {
  describe(`${keeper} and the books beside them`, () => {
    let theirs: TheirSide
    beforeEach(async () => {
      theirs = await open()
    })
    afterEach(() => theirs.close())

    const ownLine = () => ({ credentials: { username: `TV${unique().slice(0, 8)}`, password: "0123456789" } })
    const placedHere = () => placed(theirs.books, ownLine(), promotions.half)
    const orderNow = async (id: string) => theirs.books.billing.order(id)

    test("an order here is an order there, at the same total to the cent", async () => {
      const order = await placedHere()
      expect(order.total.minor).toBe(1_000)
      expect(await theirs.orders()).toEqual([{ status: "open", total: 1_000 }])
    })

    test("an order that is held here is not made there, also where nothing is owed for it", async () => {
      const held = { ...ownLine(), holdReason: "blocked country XK" }
      expect((await placed(theirs.books, held, promotions.free)).status).toBe("fraud")
      expect((await placed(theirs.books, { ...held, ...ownLine() })).status).toBe("fraud")
      await theirs.books.billing.takeOver(NOON + 86_400_000, 10)
      expect(await theirs.orders()).toEqual([])
    })

    test("an order whose answer was lost is one order there, and goes on with the same key", async () => {
      const wish = await wishFor(theirs.books.billing, ownLine())
      theirs.loseNextOrder()
      await expect(theirs.books.billing.placeOrder(wish)).rejects.toMatchObject({ kind: "unavailable" })
      const order = await theirs.books.billing.placeOrder(wish)
      expect(order.status).toBe("placed")
      expect(await theirs.orders()).toEqual([{ status: "open", total: 2_000 }])
    })

    test("the same order ten times at once is one order there", async () => {
      const wish = await wishFor(theirs.books.billing, ownLine())
      const orders = await Promise.all(
        Array.from({ length: 10 }, () => theirs.books.billing.placeOrder(wish)),
      )
      expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
      expect(await theirs.orders()).toHaveLength(1)
    })

    test("while they are away nothing is ordered, and when they are back the same key goes on", async () => {
      const wish = await wishFor(theirs.books.billing, ownLine())
      theirs.away(true)
      await expect(theirs.books.billing.placeOrder(wish)).rejects.toMatchObject({ kind: "unavailable" })
      await expect(theirs.books.billing.plans()).rejects.toMatchObject({ kind: "unavailable" })
      expect(await theirs.books.lastPriceList.plans()).not.toEqual([])
      theirs.away(false)
      await theirs.books.billing.placeOrder(wish)
      expect(await theirs.orders()).toHaveLength(1)
    })

    test("an order that is given up here is cancelled there, at the latest by the sweep", async () => {
      const order = await placedHere()
      theirs.away(true)
      await theirs.books.billing.moveOrder(order.id, "aborted", NOON)
      theirs.away(false)
      await theirs.books.billing.takeOver(NOON + 86_400_000, 10)
      expect(await theirs.orders()).toMatchObject([{ status: "cancelled" }])
    })

    test("an order whose answer was lost, and whose buyer never came back, is cancelled there too", async () => {
      const wish = await wishFor(theirs.books.billing, ownLine())
      theirs.loseNextOrder()
      await expect(theirs.books.billing.placeOrder(wish)).rejects.toMatchObject({ kind: "unavailable" })
      const [overdue = ""] = await theirs.books.billing.overdueOrders(NOON + 86_400_000, 10)
      await theirs.books.billing.moveOrder(overdue, "deadlinePassed", NOON + 86_400_000)
      await theirs.books.billing.takeOver(NOON + 86_400_000, 10)
      expect(await theirs.orders()).toMatchObject([{ status: "cancelled" }])
    })

    test("an invoice that people mark as paid there is paid here, and the service is set up", async () => {
      const order = await placedHere()
      await theirs.staff.markPaid()
      expect(await theirs.books.billing.takeOver(NOON + 86_400_000, 10)).toBe(1)
      const paid = await orderNow(order.id)
      expect(paid?.status).toBe("paid")
      const line = await theirs.books.billing.service(order.serviceId)
      if (!paid || !line) throw new Error("The order is not there")
      const made = await created(theirs.books, line)
      expect(made.host).toMatch(/^https?:\/\//)
      expect(await created(theirs.books, line)).toEqual(made)
    })

    test("an order that people cancel there comes to nothing here", async () => {
      const order = await placedHere()
      await theirs.staff.cancel()
      await theirs.books.billing.takeOver(NOON + 86_400_000, 10)
      expect((await orderNow(order.id))?.status).toBe("cancelled")
    })

    test("a customer who was forgotten here and comes back is called by his e-mail again", async () => {
      const { billing, operator } = theirs.books
      const ana = { email: "ana@example.test", locale: "en-en", currency: "EUR", country: "MA" } as const
      const { customerId } = await billing.identify({ ...ana, address: "192.0.2.7", at: NOON })
      expect(await billing.forgetUnpaid(NOON, 10)).toBe(1)
      expect((await operator.copyOfCustomer(ana.email))?.clients).toBeUndefined()
      await billing.identify({ ...ana, address: null, at: NOON })
      const order = await placed(theirs.books, { customerId, ...ownLine() })
      expect(await operator.order(order.id)).toMatchObject({ email: ana.email })
    })

    test("a plan that was bought there is among its customer's services here", async () => {
      const serviceId = await theirs.sellThere("elsewhere@example.test")
      const customer = await theirs.books.billing.customerOf("elsewhere@example.test")
      if (!customer) throw new Error("The customer is not known")
      const services = await theirs.books.billing.servicesOf({ id: customer.id, reach: "account" })
      expect(services).toMatchObject([{ id: serviceId, status: "Active", customerId: customer.id }])
      expect(await theirs.orders()).toHaveLength(1)
    })
  })
}

const noLists = { playlist: async () => "", playlistAddress: () => null }

function created(books: BesideUnderTest, line: Service): Promise<{ host: string }> {
  return books.panel(noLists).create(line)
}
