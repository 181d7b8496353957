import { Readable } from "node:stream"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openWhmcs } from "~/billing/external/whmcs/whmcs.server"
import {
  catalogueFixture,
  NOON,
  opened,
  paymentUpdate,
  placed,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { type MirrorUnderTest, openMirrorUnderTest } from "../../../../tests/contracts/billing/mirror"
import { startWhmcs, type Whmcs } from "../../../../tests/fakes/whmcs-simulator/start"
import { usualMail } from "../../../../tests/fixtures/mailing-database"
import { settingsFor } from "../../../../tests/fixtures/whmcs-shop"

const lists = { playlist: async () => Readable.from([]), playlistAddress: () => null }

let whmcs: Whmcs
let backend: MirrorUnderTest
beforeEach(async () => {
  whmcs = await startWhmcs({ catalogue: catalogueFixture, now: () => NOON, autosetup: "" })
})
afterEach(async () => {
  await backend.close()
  await whmcs.close()
})

const openedWith = async (mail: typeof usualMail) => {
  const hosts = { plan: "https://tv.example.test", reseller: null }
  const open = () => openWhmcs({ ...settingsFor(whmcs), sendsMail: !mail.orders })
  backend = await openMirrorUnderTest(open, { hosts, mail })
}

/** Pays an order of the mirror in two parts, and sets its line up in the external billing system. */
async function bought() {
  const order = await placed(backend)
  const attempt = await opened(backend, order)
  const report = (status: "partially-paid" | "paid", minor: number) =>
    backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, status, minor), NOON)
  await report("partially-paid", 500)
  await report("paid", order.total.minor)
  const service = await backend.billing.service(order.serviceId)
  if (!service) throw new Error("Service not found")
  const { host } = await backend.panel(lists).create(service)
  await backend.billing.activateService(service.id, { host: host ?? "" }, NOON)
  return order
}

const ofShop = async (orderId: string) =>
  (await backend.operator.mails({ orderId, limit: 10 }))
    .map(({ name, email }) => ({ name, email }))
    .toReversed()
const ofWhmcs = () => whmcs.mails.map(({ template }) => template)

test("an order of the mirror causes the shop's messages, and WHMCS sends none", async () => {
  await openedWith(usualMail)
  const { id, email } = await bought()
  const names = (await ofShop(id)).map(({ name }) => name)
  expect(names.toSorted()).toEqual(["partly-paid", "receipt"])
  expect(new Set((await ofShop(id)).map((mail) => mail.email))).toEqual(new Set([email]))
  expect(ofWhmcs()).toEqual([])
})

test("with the shop's messages about orders off, WHMCS sends those about payments and access alone", async () => {
  await openedWith({ orders: false, reminders: false, operator: true, creditsLow: 5 })
  const { id } = await bought()
  expect(await ofShop(id)).toEqual([])
  expect(new Set(ofWhmcs())).toEqual(new Set(["Invoice Payment Confirmation", "New Product Information"]))
  expect(ofWhmcs().filter((template) => template === "New Product Information")).toHaveLength(1)
})
