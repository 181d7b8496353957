import { randomInt } from "node:crypto"
import pino from "pino"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openWhmcs } from "~/billing/external/whmcs/whmcs.server"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import type { Service } from "~/domain/services/service"
import {
  catalogueFixture,
  NOON,
  opened,
  paymentUpdate,
  unique,
} from "../../../tests/contracts/billing/billing-fixtures"
import { type MirrorUnderTest, openMirrorUnderTest } from "../../../tests/contracts/billing/mirror"
import { startWhmcs, type Whmcs } from "../../../tests/fakes/whmcs-simulator/start"
import { callsTo, client } from "../../../tests/fakes/whmcs-simulator/test-client"
import { overpayOrder, soldInWhmcs } from "../../../tests/fixtures/whmcs-customer"
import { euros, settingsFor } from "../../../tests/fixtures/whmcs-shop"
import { renewByInvoice } from "./renew-by-invoice.server"

const EMAIL = "renewing@example.test"
const CREDIT = 500

let whmcs: Whmcs
let shop: MirrorUnderTest
let customerId: string
let service: Service
beforeEach(async () => {
  whmcs = await startWhmcs({ catalogue: catalogueFixture, now: () => NOON, fieldNames: [] })
  shop = await openMirrorUnderTest(() => openWhmcs(settingsFor(whmcs)))
  customerId = await client(callsTo(whmcs).call, { email: EMAIL })
  service = await soldInWhmcs({ whmcs, shop, customerId, email: EMAIL })
  whmcs.staff.invoice(service.id)
})
afterEach(async () => {
  await shop.close()
  await whmcs.close()
})

/** What the customer has paid too much for an earlier order. */
const overpay = (minor: number) => overpayOrder({ shop, customerId, minor, at: NOON })

const signedIn = (): AuthenticatedCustomer => ({ id: customerId, reach: "account" })

type Session = {
  readonly customer: AuthenticatedCustomer | null
  readonly orderId: string | null
  readonly key?: string
}

async function renew({ customer, orderId, key = unique() }: Session) {
  const { invoiceRenewals, billing, payments } = shop
  const [invoice] = (await invoiceRenewals?.renewalInvoices(customerId, "current")) ?? []
  const services = {
    invoiceRenewals,
    billing,
    payments,
    catalogue: billing,
    enabledGateways: ["offshore"],
    gateways: new Map(),
    shop: { fallbackAddress: "192.0.2.1" },
    randomInt,
    now: () => NOON,
    log: pino({ level: "silent" }),
  } as unknown as Parameters<typeof renewByInvoice>[0]
  const placement = await renewByInvoice(services, {
    service,
    invoiceId: invoice?.invoiceId ?? "",
    shown: null,
    customer,
    orderId,
    key,
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

test("a renewal ordered before the sign-in is replaced afterwards by one that account credit pays in part", async () => {
  await overpay(CREDIT)
  const before = await renew({ customer: null, orderId: null })
  expect(before.credited).toEqual(euros(0))

  const after = await renew({ customer: signedIn(), orderId: before.id })

  expect(after.credited).toEqual(euros(-CREDIT))
  expect(await statusOf(before)).toBe("cancelled")
  expect(whmcs.invoices.at(-1)?.status).toBe("Unpaid")
  expect(await renew({ customer: signedIn(), orderId: after.id })).toMatchObject({ id: after.id })
})

test("a renewal ordered in another browser stays payable there when one with account credit is ordered here", async () => {
  await overpay(CREDIT)
  const other = await renew({ customer: null, orderId: null })
  const own = await renew({ customer: signedIn(), orderId: null })
  expect(own.credited).toEqual(euros(-CREDIT))
  expect(await statusOf(other)).toBe("placed")
  expect(await renew({ customer: signedIn(), orderId: null })).toMatchObject({ id: own.id })
})

test("a renewal ordered before the sign-in is continued afterwards if there is no account credit", async () => {
  const before = await renew({ customer: null, orderId: null })
  expect(await renew({ customer: signedIn(), orderId: before.id })).toMatchObject({ id: before.id })
})

test("a renewal whose payment has begun before the sign-in is continued, so that nothing is paid twice", async () => {
  await overpay(CREDIT)
  const before = await renew({ customer: null, orderId: null })
  const attempt = await opened(shop, before, before.total.minor)
  await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "processing", 0), NOON)
  expect(await renew({ customer: signedIn(), orderId: before.id })).toMatchObject({ id: before.id })
})

test("the same form sent twice is one order, also if account credit has paid all of it", async () => {
  await overpay(5_000)
  const key = unique()
  const order = await renew({ customer: signedIn(), orderId: null, key })
  expect(order.status).toBe("paid")
  expect(await renew({ customer: signedIn(), orderId: order.id, key })).toMatchObject({ id: order.id })
})
