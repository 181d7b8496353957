import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { openWhmcs } from "~/billing/external/whmcs/whmcs.server"
import {
  catalogueFixture,
  NOON,
  newOrderInput,
  orderNow,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { type MirrorUnderTest, openMirrorUnderTest } from "../../../../tests/contracts/billing/mirror"
import { startWhmcs, type Whmcs } from "../../../../tests/fakes/whmcs-simulator/start"
import { callsTo, client } from "../../../../tests/fakes/whmcs-simulator/test-client"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { settingsFor } from "../../../../tests/fixtures/whmcs-shop"

const FORMER = "former@example.test"
const NEW = "New@example.test"

describe.each(engines)("customers of WHMCS with the mirror on %s", (engine) => {
  let whmcs: Whmcs
  let database: TemporaryDatabase
  let shop: MirrorUnderTest

  beforeEach(async () => {
    whmcs = await startWhmcs({ catalogue: catalogueFixture, now: () => NOON, fieldNames: [] })
    database = await openTemporaryDatabase(engine)
    shop = await openMirrorUnderTest(() => openWhmcs(settingsFor(whmcs)), { databaseUrl: database.url })
  })
  afterEach(async () => {
    await shop.close()
    await database.close()
    await whmcs.close()
  })

  const visitorWith = (email: string) =>
    ({ email, locale: "en-en", currency: "EUR", country: "MA", address: null, at: NOON }) as const

  async function ordered() {
    const { customerId } = await shop.billing.identify(visitorWith(FORMER))
    return shop.billing.placeOrder(await newOrderInput(shop.billing, { customerId }))
  }

  function changedByStaff(email: string): void {
    Object.assign(whmcs.clients[0] ?? {}, { email })
  }

  test("an email that staff have changed is the one that messages go to from the next sign-in on", async () => {
    const order = await ordered()
    changedByStaff(NEW)
    expect(await shop.billing.customerOf(FORMER)).toBeNull()
    expect(await shop.billing.customerOf(NEW)).toMatchObject({ id: order.customerId, email: NEW })
    expect(await orderNow(shop, order)).toMatchObject({ email: NEW, emailProven: false })
  })

  test("an email that staff have changed is the one that messages go to from the next order on", async () => {
    const order = await ordered()
    changedByStaff(NEW)
    expect(await shop.billing.identify(visitorWith(NEW))).toMatchObject({ customerId: order.customerId })
    expect(await orderNow(shop, order)).toMatchObject({ email: NEW })
  })

  test("another spelling of the same email changes nothing", async () => {
    const order = await ordered()
    await shop.billing.identify(visitorWith(FORMER.toUpperCase()))
    expect(await orderNow(shop, order)).toMatchObject({ email: FORMER })
  })

  describe("a service that staff have given to another client", () => {
    const OTHER = "other@example.test"

    async function given() {
      const clientid = await client(callsTo(whmcs).call, { email: FORMER })
      const request = { clientid, paymentmethod: "offshore", pid: ["7"], billingcycle: ["monthly"] }
      const { invoiceid, serviceids } = await callsTo(whmcs).call("AddOrder", request)
      whmcs.staff.markPaid(invoiceid)
      expect(await servicesOf(FORMER)).toEqual([[String(serviceids), "Active"]])
      const other = await client(callsTo(whmcs).call, { email: OTHER })
      Object.assign(whmcs.services[0] ?? {}, { clientId: Number(other) })
      return String(serviceids)
    }

    /** What a customer sees in a process that has not read the services lately. */
    async function servicesOf(email: string): Promise<unknown[]> {
      const { billing, close } = await openMirrorUnderTest(() => openWhmcs(settingsFor(whmcs)), {
        databaseUrl: database.url,
      })
      const customer = await billing.customerOf(email)
      const services = customer ? await billing.servicesOf({ ...customer, reach: "account" }) : []
      await close()
      return services.map(({ id, status }) => [id, status])
    }

    test("is the other customer's, and no longer the former one's", async () => {
      const id = await given()
      expect(await servicesOf(OTHER)).toEqual([[id, "Active"]])
      expect(await servicesOf(FORMER)).toEqual([])
    })

    test("is no longer the former customer's, before the other one has looked; the browser that bought it keeps it", async () => {
      const id = await given()
      expect(await servicesOf(FORMER)).toEqual([])
      expect(await shop.billing.service(id)).toMatchObject({ status: "Active", customerId: "2" })
      expect(await servicesOf(OTHER)).toEqual([[id, "Active"]])
    })

    test("is shown as cancelled if they have deleted it", async () => {
      const id = await given()
      whmcs.services.pop()
      expect(await servicesOf(FORMER)).toEqual([[id, "Cancelled"]])
    })
  })
})
