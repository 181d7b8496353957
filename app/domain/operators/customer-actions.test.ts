import { expect, test } from "vitest"
import { type CustomerState, customerActionsFor } from "./customer-actions"

const customer: CustomerState = { hasEmail: true, isProven: false, isErased: false, isBlocked: false }
const here = { hasExternalBilling: false, sendsMail: true }
const all = [
  "mail-sign-in-link",
  "view-as-customer",
  "grant-credit",
  "correct-email",
  "block-customer",
  "export-customer",
  "erase-customer",
]
const without = (...actions: readonly string[]) => all.filter((it) => !actions.includes(it))

test.each<[string, Partial<CustomerState>, Partial<typeof here>, readonly string[]]>([
  ["has ordered", {}, {}, all],
  ["has proven the address", { isProven: true }, {}, without("correct-email")],
  ["has an address that is another's now", { hasEmail: false }, {}, without("mail-sign-in-link")],
  ["is one of a shop without mail", {}, { sendsMail: false }, without("mail-sign-in-link")],
  [
    "is one of an external billing",
    {},
    { hasExternalBilling: true },
    without("grant-credit", "correct-email"),
  ],
  ["was erased", { isErased: true }, {}, []],
  ["was blocked and erased", { isErased: true, isBlocked: true }, {}, ["unblock-customer"]],
])("a customer who %s allows an owner these actions", (_, state, shop, actions) => {
  expect(customerActionsFor("owner", { ...customer, ...state }, { ...here, ...shop })).toEqual(actions)
})
