import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, HOUR, MINUTE } from "~/domain/calendar"
import type { BuyerPlace } from "~/domain/customers/country"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { Service } from "~/domain/services/service"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { recreateService } from "~/flows/services/change-service.server"
import { documentPolicy as documents } from "../../../../tests/fixtures/document-policy"
import { buyerIn, importOddPrices, type TestBuyer } from "../../../../tests/fixtures/kinds-of-sale"
import { openShopOn, type ShopOnEngine } from "../../../../tests/fixtures/shop-on-engine"
import { germanTax } from "../../../../tests/fixtures/tax-rules"
import { engines } from "../../../../tests/fixtures/temporary-database"

const buyer: BuyerPlace = { named: "DE", located: "DE" }

describe.each(engines)("extra connections on %s", (engine) => {
  let opened: ShopOnEngine
  let by: TestBuyer
  beforeEach(async () => {
    opened = await openShopOn(engine, { tax: germanTax, documents })
    await importOddPrices(opened.database)
    by = buyerIn(opened.shop, { email: "ana@example.test", buyer })
  })
  afterEach(() => opened.close())

  const credit = ({ customerId }: Order) => opened.shop.services.payments.accountCredit(customerId, "EUR")
  const terms = ({ id }: Service) => opened.shop.billing.billing.renewalTerms(id)
  const kinds = async ({ id }: Order) =>
    (await opened.shop.billing.billing.timeline(id)).map(({ kind }) => kind)
  const end = ({ id }: Service, owner: "operator" | "non-payment") =>
    opened.shop.billing.operator.terminateService(id, {
      owner,
      reason: "abuse",
      at: opened.shop.services.now(),
    })

  /** Pays an order and expects that it leaves the service, and all of the payment is account credit. */
  async function expectCredited(order: Order, service: Service): Promise<void> {
    const [before, price] = [await by.found(service.id), await terms(service)]
    const paid = await by.pay(order)
    expect(await by.found(service.id)).toEqual(before)
    expect(await terms(service)).toEqual(price)
    expect(await credit(order)).toEqual(order.total)
    expect(paid.status).toBe("active")
    expect(await kinds(paid)).toContain("part-credited")
    expect(await opened.shop.billing.documents.taxDocumentsOf(paid.id)).toEqual([])
    expect(await opened.shop.billing.operator.jobs()).toEqual([])
  }

  const changes: Record<string, (service: Service) => Promise<unknown>> = {
    "has got a longer cycle since": async (it) => by.pay(await by.planOf(it, "3")),
    "has got a dearer plan since": async (it) => by.pay(await by.planOf(it, "2")),
    "the operator has ended since": (it) => end(it, "operator"),
    "has ended unpaid since": (it) => end(it, "non-payment"),
  }
  test.each(Object.entries(changes))(
    "of a service that %s are not added: what was paid is account credit",
    async (_, happens) => {
      const service = await by.service()
      const order = await by.connections(service, 10)
      expect(order.total.minor).toBe(2_030)
      opened.shop.wait(HOUR)
      await happens(service)
      await expectCredited(order, service)
    },
  )

  test("of a service from before prices were stored, which has ended unpaid since, are not in its price", async () => {
    const service = await by.service()
    const unknown = { renewal_price: null, announced_price: null }
    await opened.database.db.updateTable("services").set(unknown).where("id", "=", service.id).execute()
    const order = await by.connections(service, 1)
    await end(service, "non-payment")
    await expectCredited(order, service)
  })

  test("of a service whose next plan is paid since are not added: what was paid is account credit", async () => {
    const service = await by.service({ plan: "2" })
    await by.nextPlan(service, "1")
    const order = await by.connections(service, 10)
    await by.pay(await by.renewal(service))
    await expectCredited(order, service)
  })

  test("that are bought while the next plan is paid are renewed at that plan's price", async () => {
    const service = await by.service({ plan: "2" })
    await by.nextPlan(service, "1")
    await by.pay(await by.renewal(service))
    const order = await by.connections(await by.found(service.id), 2)
    expect(order.total.minor).toBe(2 * 307)
    await by.pay(order)
    expect(await terms(service)).toMatchObject({ price: money(1_001 + 2 * 203, "EUR") })
  })

  test("that were not added leave a renewal as it was ordered", async () => {
    const service = await by.service()
    const order = await by.connections(service, 1)
    await by.pay(await by.planOf(service, "2"))
    const renewal = await by.renewal(await by.found(service.id))
    await by.pay(order)
    const before = await by.found(service.id)
    expect((await by.pay(renewal)).status).toBe("active")
    expect((await by.found(service.id)).paidUntil).toBeGreaterThan(before.paidUntil ?? 0)
  })

  test("are added to a service that was renewed or is set up again since", async () => {
    const service = await by.service()
    const orders = [await by.connections(service, 1), await by.connections(service, 1)]
    await by.pay(await by.renewal(service))
    for (const order of orders) {
      await recreateService(opened.shop.services, await by.found(service.id))
      await by.pay(order)
      // The panel takes them once it has the new line.
      opened.shop.wait(MINUTE)
      await runJobs(opened.shop.services)
      expect((await by.orderNow(order.id)).status).toBe("active")
    }
    expect(await by.found(service.id)).toMatchObject({ connections: 3, status: "Active" })
    expect(await terms(service)).toMatchObject({ price: money(1_001 + 2 * 203, "EUR") })
  })

  test("that are paid late, after their service got another plan, are account credit", async () => {
    const service = await by.service()
    const order = await by.connections(service, 1)
    await by.pay(await by.planOf(service, "3"))
    await opened.shop.billing.billing.applyOrderEvent(
      order.id,
      "deadlinePassed",
      opened.shop.services.now() + DAY,
    )
    await expectCredited(order, service)
  })
})
