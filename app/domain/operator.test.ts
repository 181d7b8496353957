import { describe, expect, test } from "vitest"
import {
  emailShownTo,
  mayDo,
  needsProof,
  type OperatorAction,
  operatorActions,
  operatorShownTo,
} from "./operator"

const actions = Object.keys(operatorActions) as OperatorAction[]

/** What support may not do: it moves money, gives access to the console, or takes data away. */
const ownersOnly: readonly OperatorAction[] = [
  "add-operator",
  "reset-operator",
  "disable-operator",
  "end-operator-sessions",
  "export-audit-log",
  "discard-job",
  "mark-order-paid",
  "refund-order",
  "dismiss-refund",
  "confirm-action",
  "refuse-action",
  "assign-payment",
  "credit-payment",
  "return-payment",
  "dismiss-payment",
  "export-orders",
  "set-connections",
  "move-price",
  "terminate-service",
  "grant-credit",
  "export-customer",
  "erase-customer",
]
const ownAccount: readonly OperatorAction[] = ["end-session", "new-recovery-codes", "change-password"]

describe.each(actions)("the action %s", (action) => {
  test.each([
    ["owner", true],
    ["support", !ownersOnly.includes(action)],
    ["viewer", ownAccount.includes(action)],
  ] as const)("is permitted to %s: %s", (role, isPermitted) => {
    expect(mayDo(role, action)).toBe(isPermitted)
  })
})

test("refunds, roles, exports, factors and credentials need password and code again", () => {
  expect(actions.filter(needsProof)).toEqual([
    "new-recovery-codes",
    "change-password",
    "add-operator",
    "reset-operator",
    "disable-operator",
    "export-audit-log",
    "mark-order-paid",
    "refund-order",
    "confirm-action",
    "assign-payment",
    "credit-payment",
    "return-payment",
    "export-orders",
    "show-credentials",
    "correct-email",
    "grant-credit",
    "export-customer",
    "erase-customer",
  ])
})

test.each([
  ["owner", "ana@example.test"],
  ["support", "ana@example.test"],
  ["viewer", "a…@example.test"],
] as const)("an email address shown to %s is %s", (role, shown) => {
  expect(emailShownTo(role, "ana@example.test")).toBe(shown)
})

test.each(["", "a", "not an address"])(
  "a text without a domain, %j, is masked to its first letter",
  (text) => {
    expect(emailShownTo("viewer", text)).toBe(`${text.slice(0, 1)}…`)
  },
)

test("an operator is masked for a viewer as any email is, and the admin CLI has none", () => {
  expect(operatorShownTo("viewer", "marta@shop.test")).toBe("m…@shop.test")
  expect(operatorShownTo("support", "marta@shop.test")).toBe("marta@shop.test")
  expect(operatorShownTo("viewer", "admin CLI")).toBe("admin CLI")
})
