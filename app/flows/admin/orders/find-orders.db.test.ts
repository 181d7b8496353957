import { pino } from "pino"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { OrderRange } from "~/billing/orders/order-search"
import { stepCounter } from "~/billing/step-counter.server"
import { HOUR, MINUTE, SECOND } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import type { CoinReference } from "~/domain/payments/coin-reference"
import { recordPaymentUpdate } from "~/flows/payments/record-payment-update.server"
import {
  catalogueFixture,
  NOON,
  opened,
  paymentUpdate,
  placed,
  promotions,
} from "../../../../tests/contracts/billing/billing-fixtures"
import {
  createEmbeddedBilling,
  type SeedableBilling,
} from "../../../../tests/contracts/billing/embedded-billing"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { searchCustomers } from "../customers/find-customers.server"
import { SEARCH_LIMIT } from "../keyset-pages.server"
import { exportOrders } from "./export-orders.server"
import { allOrders, findOrders, type OrderFilter, searchOrders, totalIn } from "./find-orders.server"

describe.each(engines)("finding orders, on %s", (engine) => {
  let database: TemporaryDatabase
  let backend: SeedableBilling
  beforeEach(async () => {
    database = await openTemporaryDatabase(engine)
    backend = await createEmbeddedBilling(database.url, catalogueFixture)
  })
  afterEach(async () => {
    await backend.close()
    await database.close()
  })

  const services = (now = () => NOON) => ({ orders: backend.operator, now })
  const numbers = (orders: readonly { id: string }[]) => orders.map(({ id }) => id)
  const all = (filter: OrderFilter) => findOrders(services(), filter, { size: 50 })

  /** Orders at equal and different times, oldest first. */
  async function several(count: number): Promise<Order[]> {
    const orders: Order[] = []
    for (let index = 0; index < count; index++)
      orders.push(await placed(backend, { at: NOON + Math.floor(index / 2) * MINUTE }))
    return orders.toSorted((a, b) => a.placedAt - b.placedAt || (a.id < b.id ? -1 : 1))
  }

  test("pages lead to older and back to newer orders without a gap, also among orders of the same time", async () => {
    const newestFirst = numbers(await several(7)).toReversed()
    const first = await findOrders(services(), {}, { size: 3 })
    expect(numbers(first.orders)).toEqual(newestFirst.slice(0, 3))
    expect(first.newer).toBeNull()
    const second = await findOrders(services(), {}, { size: 3, beyond: first.older ?? undefined })
    expect(numbers(second.orders)).toEqual(newestFirst.slice(3, 6))
    const last = await findOrders(services(), {}, { size: 3, beyond: second.older ?? undefined })
    expect(numbers(last.orders)).toEqual(newestFirst.slice(6))
    expect(last.older).toBeNull()
    const back = await findOrders(services(), {}, { size: 3, beyond: last.newer ?? undefined, newer: true })
    expect(numbers(back.orders)).toEqual(newestFirst.slice(3, 6))
    const start = await findOrders(services(), {}, { size: 3, beyond: back.newer ?? undefined, newer: true })
    expect(numbers(start.orders)).toEqual(newestFirst.slice(0, 3))
    expect(start.newer).toBeNull()
    expect(start.older).toEqual(first.older)
  })

  /** The amount of a payment of an order of EUR 20.00. */
  async function paidIn(order: Order, minor: number): Promise<void> {
    const attempt = await opened(backend, order, minor)
    await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", minor), NOON)
  }

  test("an amount finds the orders of that total and those with a payment of that amount, page by page", async () => {
    const orders = await several(6)
    for (const order of orders.slice(0, 3)) for (const minor of [700, 700]) await paidIn(order, minor)
    await paidIn(orders[3] as Order, 2_000)
    const newestFirst = numbers(orders).toReversed()
    expect(numbers((await all({ total: 2_000 })).orders)).toEqual(newestFirst)
    expect(numbers((await all({ total: 700 })).orders)).toEqual(newestFirst.slice(3))
    expect(numbers((await all({ total: 700, status: "placed" })).orders)).toEqual([])
    expect(numbers((await all({ total: 700, kind: "plan" })).orders)).toEqual(newestFirst.slice(3))
    const first = await findOrders(services(), { total: 700 }, { size: 2 })
    expect(numbers(first.orders)).toEqual(newestFirst.slice(3, 5))
    const second = await findOrders(services(), { total: 700 }, { size: 2, beyond: first.older ?? undefined })
    expect(numbers(second.orders)).toEqual(newestFirst.slice(5))
  })

  test("all conditions of a filter apply", async () => {
    const plain = await placed(backend, { at: NOON - HOUR })
    const half = await placed(backend, { gateway: "coinbase" }, promotions.half)
    const cancelled = await placed(backend, { gateway: "coinbase", at: NOON - 2 * HOUR })
    await backend.billing.applyOrderEvent(cancelled.id, "aborted", NOON)
    expect(numbers((await all({ gateway: "coinbase" })).orders)).toEqual([half.id, cancelled.id])
    expect(numbers((await all({ gateway: "coinbase", status: "cancelled" })).orders)).toEqual([cancelled.id])
    expect(numbers((await all({ promoCode: "mum's & HALF" })).orders)).toEqual([half.id])
    expect(numbers((await all({ total: 2_000, status: "placed" })).orders)).toEqual([plain.id])
    expect(numbers((await all({ country: "MA", from: NOON - HOUR, until: NOON })).orders)).toEqual([plain.id])
    expect(numbers((await all({ country: "DE" })).orders)).toEqual([])
    expect(numbers((await all({ total: 2_000, until: NOON - HOUR })).orders)).toEqual([cancelled.id])
  })

  test("orders of a tag are listed newest first, in pages, with the other conditions", async () => {
    const orders = await several(4)
    for (const { id } of orders.toReversed())
      await backend.operator.addOrderTag(id, { tag: "outage", operator: "marta@shop.test", at: NOON })
    await placed(backend)
    const newestFirst = numbers(orders).toReversed()
    const first = await findOrders(services(), { tag: "outage" }, { size: 3 })
    expect(numbers(first.orders)).toEqual(newestFirst.slice(0, 3))
    const rest = await findOrders(
      services(),
      { tag: "outage" },
      { size: 3, beyond: first.older ?? undefined },
    )
    expect(numbers(rest.orders)).toEqual(newestFirst.slice(3))
    const until = NOON + MINUTE
    expect(numbers((await all({ tag: "outage", until })).orders)).toEqual(newestFirst.slice(2))
    expect(numbers((await all({ tag: "outage", status: "paid" })).orders)).toEqual([])
    await backend.operator.removeOrderTag(newestFirst[0] ?? "", "outage")
    expect(numbers((await all({ tag: "outage" })).orders)).toEqual(newestFirst.slice(1))
  })

  test("orders of a period in which they were paid are listed by the time of payment", async () => {
    const orders = await several(3)
    const paidAt = [NOON + 3 * HOUR, NOON + 2 * HOUR, NOON + HOUR]
    for (const [index, order] of orders.slice(0, 2).entries()) {
      const attempt = await opened(backend, order)
      const update = paymentUpdate(attempt, "paid", 2_000)
      await backend.payments.recordPaymentUpdate("offshore", update, paidAt[index] ?? NOON)
    }
    const [first = "", second = ""] = numbers(orders)
    expect(numbers((await all({ paidFrom: NOON })).orders)).toEqual([first, second])
    expect(numbers((await all({ paidUntil: NOON + 3 * HOUR })).orders)).toEqual([second])
    expect(numbers((await all({ paidFrom: NOON, status: "placed" })).orders)).toEqual([])
    expect(numbers((await all({ paidFrom: NOON, currency: "EUR", kind: "plan" })).orders)).toHaveLength(2)
    expect(numbers((await all({ paidFrom: NOON, currency: "USD" })).orders)).toEqual([])
    expect(numbers((await all({ paidFrom: NOON, until: NOON })).orders)).toEqual([])
    const page = await findOrders(services(), { paidFrom: NOON }, { size: 1 })
    const next = await findOrders(
      services(),
      { paidFrom: NOON },
      { size: 1, beyond: page.older ?? undefined },
    )
    expect([...numbers(page.orders), ...numbers(next.orders)]).toEqual([first, second])
  })

  test("an order is found by its number, e-mail, username, payment id and transaction", async () => {
    const order = await placed(backend)
    const { id, serviceId } = order
    await placed(backend)
    const attempt = await opened(backend, order)
    await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON)
    const [found] = (await all({ status: "paid" })).orders
    const { paymentId } = (await backend.payments.latestAttempt(id)) ?? {}
    const username = (await backend.billing.service(serviceId))?.username ?? ""
    const texts = [
      id,
      id.toLowerCase(),
      found?.email,
      found?.email.slice(0, -8).toUpperCase(),
      paymentId,
      `tx-${attempt.id}`,
    ]
    for (const text of texts)
      expect(numbers((await searchOrders(services(), ` ${text} `, { limit: 5 })).orders)).toEqual([id])
    expect(numbers((await searchOrders(services(), username.slice(0, 6), { limit: 5 })).orders)).toContain(id)
    for (const text of ["", "TV", "%", "_____", `${found?.email}x`])
      expect((await searchOrders(services(), text, { limit: 5 })).orders).toEqual([])
  })

  test("an order is found by its number as customers quote it, by its invoice, and by a username in small letters", async () => {
    const order = await placed(backend, { number: () => "KHE9CYEGJG" })
    await placed(backend)
    const username = (await backend.billing.service(order.serviceId))?.username ?? ""
    await database.db
      .insertInto("tax_documents")
      .values({
        number: "CN-2026-000001",
        kind: "credit-note",
        year: 2026,
        sequence: 1,
        order_id: order.id,
        position: 0,
        issued_at: NOON,
        issued_on: "2026-06-15",
        currency: "EUR",
        country: "DE",
        net: 1,
        tax: 0,
        gross: 1,
        corrects: null,
        content: "{}",
      })
      .execute()
    const numberTexts = [
      "#KHE9CYEGJG",
      "order KHE9CYEGJG",
      "Bestellung #khe9cyegjg",
      "KHE9-CYEGJG",
      "KHE9 CYEGJG",
    ]
    for (const text of [...numberTexts, "CN-2026-000001", "invoice #cn-2026-000001"])
      expect([text, numbers((await searchOrders(services(), text, { limit: 5 })).orders)]).toEqual([
        text,
        [order.id],
      ])
    const lower = username.slice(0, 6).toLowerCase()
    expect(numbers((await searchOrders(services(), lower, { limit: 5 })).orders)).toContain(order.id)
    const customers = { customers: backend.operator, now: () => NOON }
    for (const text of [lower, "#KHE9-CYEGJG"]) {
      const found = await searchCustomers(customers, text, { limit: 5 })
      expect(found.customers.map(({ id }) => id)).toContain(order.customerId)
    }
  })

  test("an order is found by a part that a customer reads out, by the device, and by an e-mail among other words", async () => {
    const order = await placed(backend, { number: () => "KHE9CYEGJG" })
    await placed(backend, { number: () => "KHE8AAAAAA" })
    await database.db
      .updateTable("services")
      .set({ device_address: "00:1A:79:AB:CD:EF" })
      .where("id", "=", order.serviceId)
      .execute()
    const [{ email = "" } = {}] = (await all({})).orders.filter(({ id }) => id === order.id)
    const mails = [
      `Ana <${email}>`,
      `${email}.`,
      `mailto:${email}`,
      `my address is ${email.toUpperCase()}, thanks`,
    ]
    for (const text of ["KHE9", "#khe9cy", "KHE9-CYEG", "001a.79ab.cdef", "00-1a-79-ab-cd-ef", ...mails])
      expect([text, numbers((await searchOrders(services(), text, { limit: 5 })).orders)]).toEqual([
        text,
        [order.id],
      ])
    for (const text of ["KHE", "00:1A:79:AB:CD:EE", "%%%%", "____"])
      expect([text, (await searchOrders(services(), text, { limit: 5 })).orders]).toEqual([text, []])
  })

  test("an order is found by the address of its coin payment and by the transaction, as wallets write them", async () => {
    const order = await placed(backend)
    await placed(backend)
    const attempt = await opened(backend, order)
    const now = () => NOON
    const shop = {
      ...backend,
      stepCounter: stepCounter({ steps: backend.steps, now, timeZone: "UTC" }),
      tolerance: { offshore: 0, coinbase: 0, btcpay: 0, cryptomusgateway: 0 },
      now,
      wakeJobs() {},
      log: pino({ level: "silent" }),
    }
    const reported = (status: "pending" | "paid", minor: number, coinReferences: readonly CoinReference[]) =>
      recordPaymentUpdate(shop, "offshore", { ...paymentUpdate(attempt, status, minor), coinReferences })
    const address = { kind: "address", value: "bc1QexampleAddress0000" } as const
    await reported("pending", 0, [address])
    const found = async (text: string) => numbers((await searchOrders(services(), text, { limit: 5 })).orders)
    const spellings = [
      address.value,
      address.value.toUpperCase(),
      "bitcoin:bc1qexampleaddress0000?amount=0.1",
    ]
    for (const text of [...spellings, "bc1qexam"])
      expect([text, await found(text)]).toEqual([text, [order.id]])
    for (const text of ["bc1qexa", "bc1qexampleaddress0001"])
      expect([text, await found(text)]).toEqual([text, []])

    // The report that names the transaction repeats the status, and later ones repeat both.
    const transaction = { kind: "transaction", value: "4f2c9d0a11-0" } as const
    for (const _ of [1, 2]) await reported("pending", 0, [address, transaction])
    await reported("paid", 2_000, [address, transaction])
    expect(await found("4F2C9D0A11")).toEqual([order.id])
    const shown = await backend.operator.order(order.id)
    const listed = { gateway: "offshore", at: NOON }
    expect(shown?.coinReferences).toEqual([
      { ...listed, ...transaction },
      { ...listed, ...address },
    ])
    const exported = await backend.operator.exportCustomer([order.customerId])
    expect(exported?.coin_references).toHaveLength(2)
    await backend.operator.eraseCustomer([order.customerId], { force: true })
    expect(await found(address.value)).toEqual([])
  })

  test("an order and its customer are found by each e-mail that the customer had, until they are erased", async () => {
    const order = await placed(backend)
    const other = await placed(backend)
    const [{ email: first = "" } = {}] = (await all({})).orders.filter(({ id }) => id === order.id)
    const change = (to: string) =>
      backend.operator.changeEmail({ customerId: order.customerId, to, at: NOON })
    await change("Second@example.test")
    await change("third@example.test")
    const customers = { customers: backend.operator, now: () => NOON }
    const found = async (text: string, wholeEmails = false) => {
      const search = { limit: 5, wholeEmails }
      const { orders } = await searchOrders(services(), text, search)
      const named = await searchCustomers(customers, text, search)
      return [numbers(orders), numbers(named.customers)]
    }
    const [one, none] = [
      [[order.id], [order.customerId]],
      [[], []],
    ]
    for (const text of [first, first.slice(0, -3), "SECOND@example.test", "sec", "third@example.test"])
      expect([text, await found(text)]).toEqual([text, one])
    expect(await found("second@example.test", true)).toEqual(one)
    expect(await found("second@example.tes", true)).toEqual(none)

    // Another customer who has the address now is found beside.
    await backend.operator.changeEmail({ customerId: other.customerId, to: "second@example.test", at: NOON })
    expect((await found("second@example.test")).map((it) => it?.toSorted())).toEqual([
      [order.id, other.id].toSorted(),
      [order.customerId, other.customerId].toSorted(),
    ])

    expect(await backend.operator.exportCustomer([order.customerId])).toMatchObject({
      former_emails: [{ email_key: first }, { email_key: "second@example.test" }],
    })
    await backend.operator.eraseCustomer([order.customerId], { force: true })
    expect(await found(first)).toEqual(none)
  })

  test("a search with more orders than its limit says that there are more", async () => {
    const order = await placed(backend)
    await placed(backend, { customerId: order.customerId })
    const [{ email = "" } = {}] = (await all({})).orders
    expect(await searchOrders(services(), email, { limit: 1 })).toMatchObject({
      orders: [{ email }],
      isCut: true,
    })
    expect((await searchOrders(services(), email, { limit: 2 })).isCut).toBe(false)
  })

  test("a file has every order, and formulas in it are text", async () => {
    await several(5)
    const customer = { locale: "en-en", currency: "EUR", country: "MA", address: null, at: NOON } as const
    const { customerId } = await backend.billing.identify({ ...customer, email: "=1+1@example.test" })
    const order = await placed(backend, { customerId, at: NOON + HOUR })
    let file = ""
    for await (const line of exportOrders(services(), {})) file += line
    const lines = file.split("\r\n")
    expect(lines[0]).toBe(
      "\uFEFFnumber,placed,status,email,country,gateway,promotion,total,received,currency",
    )
    expect(lines[1]).toBe(
      `${order.id},2026-06-15T13:00:00.000Z,placed,'=1+1@example.test,MA,offshore,,20.00,0.00,EUR`,
    )
    expect(lines).toHaveLength(8)
  })
})

/** A shop with `count` active orders, one a minute, of which the oldest is of another country. */
function manyOrders(count: number) {
  const ranges: OrderRange[] = []
  const order = (index: number) => ({
    id: `O${index}`,
    kind: "plan" as const,
    status: "active" as const,
    email: "ana@example.test",
    gateway: "offshore" as const,
    country: index === 0 ? "DE" : "MA",
    promoCode: null,
    total: { minor: 2_000, currency: "EUR" as const },
    received: { minor: 2_000, currency: "EUR" as const },
    placedAt: NOON + index * MINUTE,
    paidAt: null,
  })
  const orders = {
    async orders(range: OrderRange) {
      ranges.push(range)
      const behind = range.beyond?.at ?? Number.POSITIVE_INFINITY
      const first = Math.min(count - 1, (behind - NOON) / MINUTE - 1)
      const length = Math.max(0, Math.min(range.limit, first + 1))
      return Array.from({ length }, (_, index) => order(first - index))
    },
    ordersNamed: async () => [],
  }
  return { orders, ranges }
}

test("a condition without an index reads at most 200 orders at once, and finds the one among thousands", async () => {
  const { orders, ranges } = manyOrders(5_000)
  const page = await findOrders({ orders, now: () => NOON }, { country: "DE" }, { size: 20 })
  expect(page).toMatchObject({ orders: [{ id: "O0" }], older: null, isCut: false })
  expect(Math.max(...ranges.map(({ limit }) => limit))).toBe(200)
})

test("a search that takes longer than two seconds is cut, and its next page goes on where it stopped", async () => {
  const { orders } = manyOrders(5_000)
  let now = NOON
  const services = { orders, now: () => (now += SECOND) }
  const page = await findOrders(services, { country: "DE" }, { size: 20 })
  expect(page).toEqual({
    orders: [],
    isCut: true,
    newer: null,
    older: { id: "O4600", at: NOON + 4_600 * MINUTE },
  })
  const rest = await findOrders(
    { orders, now: () => NOON },
    { country: "DE" },
    { size: 20, beyond: page.older ?? undefined },
  )
  expect(numbersOf(rest.orders)).toEqual(["O0"])
  const named = await searchOrders({ orders, now: () => (now += SEARCH_LIMIT) }, "ana@", { limit: 20 })
  expect(named).toEqual({ orders: [], isCut: true })
})

test("a file is written in batches", async () => {
  const { orders, ranges } = manyOrders(450)
  const ids: string[] = []
  for await (const { id } of allOrders({ orders, now: () => NOON }, { status: "active" })) ids.push(id)
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([450, "O449", "O0"])
  expect(ranges.length).toBe(3)
})

test.each([
  ["98.90", 9_890],
  [" €98,90 ", 9_890],
  ["0.05", 5],
  ["98.90 EUR", 9_890],
  ["€1,234.50", 123_450],
  ["1,000", null],
  ["€98", 9_800],
  ["98 eur", 9_800],
  ["98,90 €", 9_890],
  ["98.9", null],
  ["98.9 EUR", 9_890],
  ["9890", null],
  ["98.90; drop", null],
])("%s is the amount %s", (text, minor) => {
  expect(totalIn(text)).toBe(minor)
})

function numbersOf(orders: readonly { id: string }[]): string[] {
  return orders.map(({ id }) => id)
}
