import { rmSync } from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import pino from "pino"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { CustomerRejectedError } from "~/billing/billing"
import { HOUR } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import {
  catalogueFixture,
  NOON,
  newOrderInput,
  opened,
  orderNow,
  paymentUpdate,
  placed,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { type MirrorUnderTest, openMirrorUnderTest } from "../../../../tests/contracts/billing/mirror"
import { startWhmcs, type Whmcs } from "../../../../tests/fakes/whmcs-simulator/start"
import { settingsFor } from "../../../../tests/fixtures/whmcs-shop"
import { temporaryFolder } from "../../../../tests/support/temporary-folder"
import { openWhmcs } from "./whmcs.server"

/**
 * WHMCS counts its ids, and gives those of lost rows out again after it was restored from a backup: what the shop knows under an id is
 * then another customer's there.
 */
describe("after WHMCS was restored from a backup of before an order", () => {
  let whmcs: Whmcs
  let shop: MirrorUnderTest
  /** A client of before the backup. */
  let early: string
  let nothing: ReturnType<Whmcs["backup"]>
  let backup: ReturnType<Whmcs["backup"]>
  let folder: string
  const log: Record<string, unknown>[] = []

  beforeEach(async () => {
    folder = temporaryFolder()
    whmcs = await startWhmcs({ catalogue: catalogueFixture, now: () => NOON })
    shop = await openProcess()
    nothing = whmcs.backup()
    early = "early@example.test"
    await shop.billing.identify(visitor(early))
    backup = whmcs.backup()
  })
  afterEach(async () => {
    await shop.close()
    await whmcs.close()
    log.splice(0)
    rmSync(folder, { recursive: true })
  })

  const openProcess = () =>
    openMirrorUnderTest(() => openWhmcs(settingsFor(whmcs)), {
      databaseUrl: join(folder, "boxoffice.db"),
      hosts: { plan: "http://tv.test", reseller: null },
      log: pino({}, { write: (line: string) => void log.push(JSON.parse(line)) }),
    })
  const visitor = (email: string) =>
    ({ email, locale: "en-en", currency: "EUR", country: "MA", address: "192.0.2.7", at: NOON }) as const
  const errors = () => log.filter(({ level }) => Number(level) >= 50).map(({ msg }) => msg)
  async function restart() {
    await shop.close()
    shop = await openProcess()
  }

  /** Another order, whose ids are those of the lost one. */
  async function orderedBy(email: string) {
    const customer = await shop.billing.identify(visitor(email))
    const input = await newOrderInput({ ...shop.billing, identify: async () => customer })
    const credentials = { username: "TVOTHEROTH", password: "other-password" }
    return shop.billing.placeOrder({ ...input, credentials })
  }

  /** The other client orders in WHMCS itself, as by its own cart: no order of this shop, without a note of it. */
  function orderedThere(clientId: number) {
    const order = structuredClone(lost.orders[0])
    const service = structuredClone(lost.services[0])
    const invoice = structuredClone(lost.invoices[0])
    if (!order || !service || !invoice) throw new Error("Nothing was lost")
    const names = Object.fromEntries(Object.keys(service.fields).map((id) => [id, "their own"]))
    Object.assign(service, { clientId, username: "theirs", password: "their-secret", fields: names })
    whmcs.orders.push(Object.assign(order, { clientId, notes: "" }))
    whmcs.services.push(service)
    whmcs.invoices.push(Object.assign(invoice, { clientId }))
  }
  let lost: ReturnType<Whmcs["backup"]>

  function restore(state = backup) {
    lost = whmcs.backup()
    whmcs.restore(state)
  }

  async function pays(order: Order) {
    const attempt = await opened(shop, order)
    await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON)
  }
  async function provisioned({ id }: Order) {
    const order = await orderNow(shop, { id } as Order)
    const service = await shop.billing.service(order.serviceId)
    if (!service) throw new Error("Service not found")
    const made = await shop
      .panel({ playlist: async () => Readable.from([]), playlistAddress: () => null })
      .create(service)
    return shop.billing.activateService(service.id, made, NOON)
  }
  const sweep = () => shop.orderSync.reconcileExternalOrders(NOON + HOUR, 10)
  const theirs = () => ({
    payments: whmcs.transactions.length,
    invoice: whmcs.invoices[0]?.status,
    order: whmcs.orders[0]?.status,
    username: whmcs.services[0]?.username,
  })

  describe("and another client has ordered under the ids of that order in WHMCS itself", () => {
    test("the order that is not paid is cancelled here, and the other one is left alone", async () => {
      const order = await placed(shop)
      restore()
      orderedThere(1)
      const before = theirs()
      expect(await sweep()).toEqual([order.id])
      expect(await orderNow(shop, order)).toMatchObject({ status: "cancelled" })
      await sweep()
      expect(theirs()).toEqual(before)
    })

    test("its payment reaches no order of the other client, nor do its credentials", async () => {
      const order = await placed(shop)
      restore()
      orderedThere(1)
      const before = theirs()
      await pays(order)
      await expect(provisioned(order)).rejects.toThrow("not found in WHMCS")
      expect(theirs()).toEqual(before)
      expect(await orderNow(shop, order)).toMatchObject({ status: "paid" })
    })

    test("a service that works has ended here, and its customer sees nothing of the other client's", async () => {
      const order = await placed(shop)
      await pays(order)
      await provisioned(order)
      restore()
      orderedThere(1)
      Object.assign(whmcs.services[0] ?? {}, { status: "Active" })
      const { customerId, serviceId } = await orderNow(shop, order)
      const shown = async () => [
        await shop.billing.service(serviceId),
        ...(await shop.billing.servicesOf({ id: customerId, reach: "account" })),
        ...(await shop.billing.servicesOf({ id: "1", reach: "account" })),
      ]
      await restart()
      for (const service of [...(await shown()), ...(await shown())])
        expect([service?.customerId, service?.username, service?.password]).not.toContain("theirs")
      expect(await shop.billing.service(serviceId)).toMatchObject({ status: "Cancelled", customerId })
      expect(errors()).toEqual(["external id given out again"])
    })
  })

  describe("and another customer of this shop gets the ids of that order", () => {
    test("the order is not taken, and what was known under the ids stays the first customer's", async () => {
      const first = await placed(shop)
      await pays(first)
      await provisioned(first)
      const { serviceId, customerId } = await orderNow(shop, first)
      restore()
      await expect(orderedBy(early)).rejects.toMatchObject({ kind: "refused" })
      expect(whmcs.orders.map(({ status }) => status)).toEqual(["Cancelled"])
      expect(errors()).toEqual(["external id given out again"])
      expect(await shop.billing.service(serviceId)).toMatchObject({ customerId, username: "TVABCDEFGH" })
      await sweep()
      expect(errors()).toHaveLength(1)
    })

    test("the next order has free ids and is set up", async () => {
      await pays(await placed(shop))
      restore()
      await expect(orderedBy(early)).rejects.toMatchObject({ kind: "refused" })
      const order = await orderedBy(early)
      expect(order.serviceId).toBe("2")
      await pays(order)
      await provisioned(order)
      expect(await shop.billing.service(order.serviceId)).toMatchObject({
        username: "TVOTHEROTH",
        status: "Active",
      })
    })

    test("the first customer's late payment reaches no order of the other, nor do the credentials", async () => {
      const first = await placed(shop)
      restore()
      await expect(orderedBy(early)).rejects.toMatchObject({ kind: "refused" })
      await pays(first)
      const before = theirs()
      await expect(provisioned(first)).rejects.toThrow("not found in WHMCS")
      expect(theirs()).toEqual(before)
    })
  })

  describe("and another client gets the id of a customer", () => {
    const other = "other@example.test"
    const theirAddress = async ({ id }: Order) => (await shop.operator.order(id))?.email

    async function orderOfFirst() {
      const order = await orderedBy(early)
      await pays(order)
      await provisioned(order)
      return orderNow(shop, order)
    }

    test("who orders here is rejected, and takes over nothing", async () => {
      const order = await orderOfFirst()
      restore(nothing)
      for (const _ of ["the first time", "once WHMCS has the client"])
        await expect(shop.billing.identify(visitor(other))).rejects.toBeInstanceOf(CustomerRejectedError)
      expect(whmcs.clients.map(({ id, email }) => [id, email])).toEqual([[Number(order.customerId), other]])
      expect(await shop.billing.customerOf(other)).toBeNull()
      expect(await theirAddress(order)).toBe(early)
      expect(errors()).toEqual(Array.from({ length: 3 }, () => "external id given out again"))
    })

    test("who has signed up and ordered in WHMCS takes over nothing either, and is not shown to the first one", async () => {
      const order = await orderOfFirst()
      restore(nothing)
      const client = structuredClone(lost.clients[0])
      whmcs.clients.push(Object.assign(client ?? ({} as never), { email: other, uuid: "another" }))
      orderedThere(1)
      Object.assign(whmcs.services[0] ?? {}, { status: "Active" })
      await restart()
      expect(await shop.billing.customerOf(other)).toBeNull()
      const { customerId: id, serviceId } = order
      await shop.billing.servicesOf({ id, reach: "account" })
      const shown = await shop.billing.servicesOf({ id, reach: "account" })
      expect(shown).toMatchObject([{ id: serviceId, username: "TVOTHEROTH", status: "Cancelled" }])
      expect(await theirAddress(order)).toBe(early)
    })

    test("a service of that client is not the first one's here", async () => {
      const { customerId: id } = await orderedBy(early)
      restore(nothing)
      const client = structuredClone(lost.clients[0])
      whmcs.clients.push(Object.assign(client ?? ({} as never), { email: other, uuid: "another" }))
      orderedThere(1)
      Object.assign(whmcs.services[0] ?? {}, { id: 7, status: "Active" })
      expect(await shop.billing.servicesOf({ id, reach: "account" })).toEqual([])
      expect(errors()).toEqual(["external id given out again"])
    })
  })
})
