import pino from "pino"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Backoffice } from "~/billing/backoffice"
import { embeddedBooks } from "~/billing/embedded/open-embedded.server"
import type { PlacedThere, StandingThere } from "~/billing/their-orders"
import { NOON, unique, wishFor } from "../../../tests/contracts/billing-fixtures"
import { engines, type KeptBooks, openKeptBooks } from "../../../tests/factories/kept-books"
import { grow } from "../../../tests/growth/grown-books"
import { walksOf } from "../../../tests/growth/plans"
import { recorder } from "../../../tests/growth/recorded"
import type { Beside } from "./beside.server"
import { madeThere } from "./made-there.server"
import { currentId } from "./services.server"
import { takeOver } from "./taken-over.server"

describe.each(engines)("books of ten thousand orders beside somebody else's, on %s", (engine) => {
  let books: KeptBooks
  beforeAll(async () => {
    books = await openKeptBooks(engine)
    await grow(books.db, { orders: 10_000, now: NOON })
  }, 60_000)
  afterAll(() => books.close())

  test("orders that have been bought are gone through once, not at every turn", async () => {
    const bought = () =>
      books.db.selectFrom("orders_there").select("order_id").where("ask_at", "<=", NOON).execute()
    expect((await bought()).length).toBeGreaterThan(1_000)
    expect(await takeOver(besideOver(books, books.db), NOON, 100)).toBe(0)
    expect(await bought()).toEqual([])
  })

  test("an order is made and looked at there by way of indexes", async () => {
    const { db, asked } = recorder(books.db)
    const beside = besideOver(books, db)
    const { billing } = beside.ours
    const order = await billing.placeOrder(await wishFor(billing))
    const { serviceId } = await madeThere(beside, order.id)
    expect((await billing.order(order.id))?.serviceId).toBe(serviceId)
    expect(await currentId(beside.books, order.serviceId)).toBe(serviceId)
    await takeOver(beside, NOON, 100)
    const walks = await Promise.all(asked.map(({ query }) => walksOf(books.db, query)))
    expect(walks.flat()).toEqual([])
  })
})

function besideOver({ newId }: KeptBooks, db: KeptBooks["db"]): Beside {
  const ours = embeddedBooks({ db, newId })
  return {
    ...{ backoffice, books: { db, newId }, ours, hosts: { plan: null, reseller: null } },
    ...{ now: () => NOON, log: pino({ level: "silent" }), later: () => {} },
  }
}

const theirs = async (): Promise<PlacedThere> => ({
  ...{ orderId: unique(), invoiceId: unique(), serviceId: unique(), link: null },
})
const backoffice = {
  placeOrder: theirs,
  standing: async (): Promise<StandingThere> => ({ state: "open", received: null }),
} as unknown as Backoffice
