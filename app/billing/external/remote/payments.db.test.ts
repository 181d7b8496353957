import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { createEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import type { LoggedServices } from "~/context/services.server"
import { DAY, MINUTE } from "~/domain/calendar"
import { defaultLocale } from "~/domain/locales"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { outstanding } from "~/domain/orders/settlement"
import { OPERATOR_REFERENCE } from "~/domain/orders/timeline"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { openPayment } from "~/flows/payments/open-payment.server"
import { pollOpenAttempts } from "~/flows/payments/poll-gateway.server"
import {
  catalogueFixture,
  NOON,
  paymentUpdate,
  placed,
  timelineKinds,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import type { MirrorUnderTest } from "../../../../tests/contracts/billing/mirror"
import { openStorefront } from "../../../../tests/fixtures/remote-storefront"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { openTestShop } from "../../../../tests/fixtures/test-shop"

const euros = (minor: number) => money(minor, "EUR")
const PRICE = euros(2_000)
const both: readonly GatewayId[] = ["offshore", "coinbase"]

describe.each(engines)("payments that a billing API server takes, with the mirror on %s", (engine) => {
  let server: Awaited<ReturnType<typeof openStorefront>>
  let database: TemporaryDatabase
  let shop: MirrorUnderTest

  beforeEach(async () => {
    server = await openStorefront(catalogueFixture)
    database = await openTemporaryDatabase(engine)
    shop = await server.openStorefrontBilling({ databaseUrl: database.url })
  })
  afterEach(async () => {
    await shop.close()
    await database.close()
    await server.close()
  })

  /** An order with a payment open at each of the gateways. */
  async function orderedAt(gateways: readonly GatewayId[]): Promise<Order> {
    const order = await placed(shop)
    for (const gateway of gateways) {
      const id = unique()
      const request = { orderId: order.id, gateway, coin: null, amount: order.total, id, at: NOON }
      await shop.payments.findOrCreateAttempt(request)
      await shop.payments.markAttemptOpened(id, { paymentId: id, url: `https://pay.test/${id}` }, NOON)
    }
    return order
  }

  async function orderThere(): Promise<string> {
    const [order] = await server.backend.operator.orders({ limit: 1 })
    if (!order) throw new Error("Order not found at the billing server")
    return order.id
  }

  /** The buyer pays at the server, in a payment of its own. */
  async function paysThere(minor: number, status: "partially-paid" | "paid"): Promise<void> {
    const { payments } = server.backend
    const orderId = await orderThere()
    const attempt = await payments.findOrCreateAttempt({
      orderId,
      gateway: "offshore",
      coin: null,
      amount: PRICE,
      id: unique(),
      at: NOON,
    })
    await payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, status, minor), NOON)
  }

  /** All open payments at once, as the sweep and a leaving buyer do. */
  async function polled({ id }: Order): Promise<void> {
    const { services } = await openTestShop()
    const gateways = new Map(both.flatMap((it) => [[it, shop.gateway(it)] as const]))
    const { billing, payments } = shop
    const polling = { ...services, billing, payments, gateways, now: () => NOON + MINUTE }
    await pollOpenAttempts(polling as Parameters<typeof pollOpenAttempts>[0], id, { force: true })
  }

  /** The server makes a payment URL only for the amount that is due there. */
  async function startsPaying(order: Order): Promise<string | undefined> {
    const { id: orderId, total: amount, placedAt: startedAt, deadline: expiresAt } = order
    const page = "https://shop.test/checkout/waiting"
    const urls = { returnUrl: page, cancelUrl: page, callbackUrl: page }
    const payment = {
      orderId,
      attemptId: unique(),
      amount,
      startedAt,
      expiresAt,
      locale: defaultLocale,
      ...urls,
    }
    return (await shop.gateway("offshore")?.startPayment(payment))?.url
  }

  const receivedFor = async ({ id }: Order) => (await shop.billing.order(id))?.received

  test("a payment counts once, although payments at two gateways are open and asked about at once", async () => {
    const order = await orderedAt(both)
    await paysThere(2_000, "paid")
    await polled(order)
    expect(await receivedFor(order)).toEqual(PRICE)
    expect(await shop.ledger(order.id)).toEqual({ received: [PRICE], credit: [] })
    expect(await timelineKinds(shop, order)).toEqual(["placed", "handed-off", "handed-off", "paid"])
  })

  test("parts that are paid one after the other count once each, and then the rest", async () => {
    const order = await orderedAt(both)
    await paysThere(700, "partially-paid")
    await polled(order)
    expect(await receivedFor(order)).toEqual(euros(700))
    await paysThere(2_000, "paid")
    await polled(order)
    expect(await shop.ledger(order.id)).toEqual({ received: [euros(700), euros(1_300)], credit: [] })
  })

  test("an order that the operator has marked as paid takes no money, although the server reports it paid too", async () => {
    const order = await orderedAt(["offshore"])
    await shop.billing.applyOrderEvent(order.id, "paid", NOON, `${OPERATOR_REFERENCE}paid in cash`)
    await server.backend.billing.applyOrderEvent(await orderThere(), "paid", NOON)
    await polled(order)
    // The entry of the cash alone.
    expect(await shop.ledger(order.id)).toEqual({ received: [PRICE], credit: [] })
  })

  test("an order that the sweep has found paid at the server, and its payment there, are the same money", async () => {
    const order = await orderedAt(["offshore"])
    await paysThere(2_000, "paid")
    await shop.orderSync.reconcileExternalOrders(NOON + DAY, 10)
    await polled(order)
    expect(await shop.ledger(order.id)).toEqual({ received: [PRICE], credit: [] })
  })

  test.each(["aborted", "fraud"] as const)(
    "an order that the server has ended unpaid (%s) is cancelled here as soon as its payment is asked about",
    async (end) => {
      const order = await orderedAt(["offshore"])
      const { billing } = server.backend
      if (end === "fraud") await billing.fraudOrder(await orderThere(), "blocked", NOON)
      else await billing.applyOrderEvent(await orderThere(), "aborted", NOON)
      await polled(order)
      expect(await shop.billing.order(order.id)).toMatchObject({ status: "cancelled" })
      expect(await timelineKinds(shop, order)).toEqual(["placed", "handed-off", "cancelled"])
    },
  )

  test("an order that the server has cancelled after a part was paid stays open here, and the part counts", async () => {
    const order = await orderedAt(["offshore"])
    await paysThere(700, "partially-paid")
    await server.backend.billing.applyOrderEvent(await orderThere(), "aborted", NOON)
    await polled(order)
    expect(await receivedFor(order)).toEqual(euros(700))
    expect((await shop.billing.order(order.id))?.status).not.toBe("cancelled")
  })

  test("a buyer who has paid a part, cancels and orders again is credited by the server alone, and can pay", async () => {
    const first = await orderedAt(["offshore"])
    await paysThere(500, "partially-paid")
    await polled(first)
    await shop.billing.applyOrderEvent(first.id, "aborted", NOON)
    await shop.payments.creditUnappliedPayments(NOON + 30 * DAY, 10)
    expect(await shop.ledger(first.id)).toEqual({ received: [euros(500)], credit: [] })
    const { customerId } = first
    expect(await shop.payments.accountCredit(customerId, "EUR")).toEqual(euros(0))
    const second = await placed(shop, { customerId, accountCreditScope: "account", key: unique() })
    expect(outstanding(second)).toEqual(PRICE)
    expect(await startsPaying(second)).toMatch(/^https:/)
  })

  test("the rest of an order that was cancelled here after a part of it still pays the order", async () => {
    const order = await orderedAt(["offshore"])
    await paysThere(500, "partially-paid")
    await polled(order)
    await shop.billing.applyOrderEvent(order.id, "aborted", NOON)
    await server.backend.billing.applyOrderEvent(await orderThere(), "paid", NOON)
    await polled(order)
    expect(await shop.billing.order(order.id)).toMatchObject({ status: "paid", received: PRICE })
    expect(await shop.ledger(order.id)).toEqual({ received: [euros(500), euros(1_500)], credit: [] })
  })

  test("money for an order on hold is the server's to credit, and books nothing here", async () => {
    const order = await orderedAt(["offshore"])
    await paysThere(2_000, "paid")
    await shop.billing.fraudOrder(order.id, "blocked", NOON)
    await polled(order)
    expect(await shop.ledger(order.id)).toEqual({ received: [], credit: [] })
  })

  test("credit that an earlier version of the shop has given pays no order any more", async () => {
    const { id, customerId } = await placed(shop)
    const grant = { key: unique(), amount: PRICE, reason: "of an earlier version", at: NOON }
    await createEmbeddedBilling({ db: database.db, newId: unique }).operator.grantAccountCredit(
      customerId,
      grant,
    )
    const order = await placed(shop, { customerId, accountCreditScope: "account", key: unique() })
    expect(order.id).not.toBe(id)
    expect(order).toMatchObject({ status: "placed", credited: euros(0) })
    expect(await shop.payments.accountCredit(customerId, "EUR")).toEqual(euros(0))
  })

  test("an unpaid order that an earlier version has placed with account credit shows the whole total, and can be paid", async () => {
    const { customerId } = await placed(shop)
    const grant = { key: unique(), amount: euros(500), reason: "of an earlier version", at: NOON }
    await createEmbeddedBilling({ db: database.db, newId: unique }).operator.grantAccountCredit(
      customerId,
      grant,
    )
    const former = await server.openStorefrontBilling({ databaseUrl: database.url, isCreditExternal: false })
    const { id } = await placed(former, { customerId, accountCreditScope: "account", key: unique() })
    await former.close()
    expect(await due(id)).toEqual(euros(1_500))
    expect(await pressesPay(id)).toEqual({ kind: "nothing-to-pay" })
    expect(await due(id)).toEqual(PRICE)
    expect((await shop.billing.timeline(id)).map(({ kind }) => kind)).toEqual([
      "placed",
      "credit-used",
      "credit-returned",
    ])
    expect(await pressesPay(id)).toMatchObject({ kind: "opened" })
  })

  async function orderHere(id: string): Promise<Order> {
    const order = await shop.billing.order(id)
    if (!order) throw new Error("Order not found")
    return order
  }

  const due = async (id: string) => outstanding(await orderHere(id))

  async function pressesPay(id: string) {
    const { services } = await openTestShop()
    const gateways = new Map(both.flatMap((it) => [[it, shop.gateway(it)] as const]))
    const { billing, payments, orderSync } = shop
    const paying = { ...services, billing, payments, gateways, orderSync } as unknown as LoggedServices
    return openPayment(paying, await orderHere(id), { gateway: "offshore", coin: null })
  }
})
