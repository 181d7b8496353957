import { randomInt } from "node:crypto"
import pino from "pino"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openWhmcs } from "~/billing/external/whmcs/whmcs.server"
import { HOUR } from "~/domain/calendar"
import type { Product } from "~/domain/catalogue/catalogue"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import type { Service } from "~/domain/services/service"
import {
  catalogueFixture,
  NOON,
  opened,
  paymentUpdate,
  plan,
  unique,
} from "../../../tests/contracts/billing/billing-fixtures"
import { type MirrorUnderTest, openMirrorUnderTest } from "../../../tests/contracts/billing/mirror"
import { startWhmcs, type Whmcs } from "../../../tests/fakes/whmcs-simulator/start"
import { callsTo, client } from "../../../tests/fakes/whmcs-simulator/test-client"
import { overpayOrder, soldInWhmcs } from "../../../tests/fixtures/whmcs-customer"
import { euros, settingsFor } from "../../../tests/fixtures/whmcs-shop"
import { upgradePlan } from "./upgrade-plan.server"

const EMAIL = "changing@example.test"
const CREDIT = 500
const dearer: Product = { ...plan, id: "8", name: "Sport XL", pricing: { EUR: { monthly: 3_500 } } }
/** What WHMCS charges on the first day of a month that is paid in full. */
const DIFFERENCE = 1_500

let whmcs: Whmcs
let shop: MirrorUnderTest
let now: number
let customerId: string
let service: Service
beforeEach(async () => {
  now = NOON
  const catalogue = { ...catalogueFixture, products: [...catalogueFixture.products, dearer] }
  whmcs = await startWhmcs({ catalogue, now: () => now, fieldNames: [] })
  shop = await openMirrorUnderTest(() => openWhmcs(settingsFor(whmcs)), { now: () => now })
  customerId = await client(callsTo(whmcs).call, { email: EMAIL })
  service = await soldInWhmcs({ whmcs, shop, customerId, email: EMAIL })
})
afterEach(async () => {
  await shop.close()
  await whmcs.close()
})

/** What the customer has paid too much for an earlier order. */
const overpay = (minor: number) => overpayOrder({ shop, customerId, minor, at: now })

const signedIn = (): AuthenticatedCustomer => ({ id: customerId, reach: "account" })

async function change(customer: AuthenticatedCustomer | null, orderId: string | null) {
  const { planUpgrades, invoiceRenewals, billing, payments } = shop
  const services = {
    planUpgrades,
    invoiceRenewals,
    billing,
    payments,
    catalogue: billing,
    enabledGateways: ["offshore"],
    gateways: new Map(),
    shop: { fallbackAddress: "192.0.2.1" },
    randomInt,
    now: () => now,
    log: pino({ level: "silent" }),
  } as unknown as Parameters<typeof upgradePlan>[0]
  const placement = await upgradePlan(services, {
    service,
    shown: { productId: "8", cycle: "monthly", due: DIFFERENCE },
    customer,
    orderId,
    key: unique(),
    gateway: "offshore",
    locale: "en-en",
    address: "192.0.2.7",
    country: "ES",
    browser: null,
  })
  if (placement.kind !== "placed") throw new Error(placement.reason)
  return placement.order
}

const statusOf = async ({ id }: { id: string }) => (await shop.billing.order(id))?.status

test("a change ordered before the sign-in is replaced afterwards by one that account credit pays in part", async () => {
  await overpay(CREDIT)
  const before = await change(null, null)
  expect(before.credited).toEqual(euros(0))

  const after = await change(signedIn(), before.id)

  expect(after).toMatchObject({ credited: euros(-CREDIT), total: euros(DIFFERENCE), status: "placed" })
  expect(await statusOf(before)).toBe("cancelled")
  expect(whmcs.invoices.slice(-2).map(({ status }) => status)).toEqual(["Cancelled", "Unpaid"])
  expect(await change(signedIn(), after.id)).toMatchObject({ id: after.id })
})

test("a change ordered before the sign-in is continued if there is no account credit", async () => {
  const before = await change(null, null)
  expect(await change(signedIn(), before.id)).toMatchObject({ id: before.id })
})

test("a change ordered in another browser is continued, since that one may be paying for it", async () => {
  await overpay(CREDIT)
  const other = await change(null, null)
  expect(await change(signedIn(), null)).toMatchObject({ id: other.id, credited: euros(0) })
})

test("a change that WHMCS prices anew by now is continued at the price that was agreed", async () => {
  await overpay(CREDIT)
  const before = await change(null, null)
  now += 12 * HOUR
  expect(await change(signedIn(), before.id)).toMatchObject({ id: before.id, total: euros(DIFFERENCE) })
})

test("a change whose payment has begun before the sign-in is continued, so that nothing is paid twice", async () => {
  await overpay(CREDIT)
  const before = await change(null, null)
  const attempt = await opened(shop, before, before.total.minor)
  await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "processing", 0), now)
  expect(await change(signedIn(), before.id)).toMatchObject({ id: before.id })
  expect(whmcs.invoices.at(-1)?.status).toBe("Unpaid")
})
