import { expect, test } from "vitest"
import { money } from "../money/money"
import type { Order } from "../orders/order"
import { orderStatuses, payableStatuses } from "../orders/order-status"
import { documentSums, isProformaOffered, proformaOf } from "./tax-document"

const issuer = {
  timeZone: "Europe/Berlin",
  seller: { name: "TV GmbH", address: ["Hauptstr. 1", "10115 Berlin"], country: "DE", email: null },
}

/** An order of 90.00 after a discount of 10.00, placed in Berlin's night. */
const order: Order = {
  id: "7BQ697JNZK",
  kind: "plan",
  invoiceId: "i1",
  serviceId: "s1",
  customerId: "c1",
  email: "ana@example.test",
  emailProven: false,
  accessScope: null,
  status: "awaiting-payment",
  decision: null,
  lines: [
    { kind: "plan", productId: "3", name: "12 Months", amount: money(10_000, "EUR") },
    { kind: "discount", code: "TEN", amount: money(-1_000, "EUR") },
  ],
  total: money(9_000, "EUR"),
  received: money(0, "EUR"),
  credited: money(0, "EUR"),
  gateway: "offshore",
  locale: "nl-nl",
  placedAt: Date.UTC(2026, 10, 27, 23, 30),
  deadline: Date.UTC(2026, 10, 28, 23, 30),
  tax: {
    place: { kind: "taxed", country: "DE", registration: "DE123456789" },
    buyer: {
      named: "DE",
      located: "DE",
      business: {
        company: "Firma AG",
        address: ["Ring 2"],
        taxNumber: "DE999999999",
        check: { result: "unchecked", at: 0, requestId: null },
      },
    },
    lines: [{ position: 0, basisPoints: 1_900, net: 7_563, tax: 1_437, gross: 9_000 }],
  },
}

test("a proforma has the order's tax, the day it was placed in the shop's time zone, and no number", () => {
  const proforma = proformaOf(order, issuer, [])
  expect(proforma).toMatchObject({
    kind: "proforma",
    number: null,
    corrects: null,
    issuedAt: order.placedAt,
    issuedOn: "2026-11-28",
    orderId: order.id,
    locale: "nl-nl",
    seller: { name: "TV GmbH", taxNumber: "DE123456789" },
    buyer: { email: order.email, company: "Firma AG", address: ["Ring 2"], taxNumber: "DE999999999" },
  })
  expect(documentSums(proforma?.lines ?? [])).toEqual({ net: 7_563, tax: 1_437, gross: order.total.minor })
})

test.each(orderStatuses)("an order that is %s has one if it can be paid", (status) => {
  const isOffered = payableStatuses.includes(status)
  expect(isProformaOffered({ ...order, status })).toBe(isOffered)
  expect(proformaOf({ ...order, status }, issuer, []) !== null).toBe(isOffered)
})

test("an order without tax has none", () => {
  expect(proformaOf({ ...order, tax: undefined }, issuer, [])).toBeNull()
})
