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

/**
 * Who may do what. Helpers are owners and support, which may not move money, give access to the console, or take data away. An action
 * without a row does not compile.
 */
const permitted = {
  "take-need": "helpers",
  "leave-need": "helpers",
  "end-session": "everyone",
  "new-recovery-codes": "everyone",
  "change-password": "everyone",
  "add-operator": "owners",
  "reset-operator": "owners",
  "disable-operator": "owners",
  "end-operator-sessions": "owners",
  "export-audit-log": "owners",
  "poll-order": "helpers",
  "add-note": "helpers",
  "change-tags": "helpers",
  "resend-mail": "helpers",
  "allow-address": "helpers",
  "send-test-mail": "helpers",
  "retry-job": "helpers",
  "discard-job": "owners",
  "release-order": "helpers",
  "refuse-order": "helpers",
  "cancel-order": "helpers",
  "mark-order-paid": "owners",
  "refund-order": "owners",
  "dismiss-refund": "owners",
  "confirm-action": "owners",
  "refuse-action": "owners",
  "assign-payment": "owners",
  "credit-payment": "owners",
  "return-payment": "owners",
  "dismiss-payment": "owners",
  "drain-gateway": "helpers",
  "offer-gateway": "helpers",
  "test-callback": "helpers",
  "switch-off-promotion": "helpers",
  "switch-on-promotion": "helpers",
  "add-promotion": "owners",
  "edit-promotion": "owners",
  "edit-catalogue": "owners",
  "take-back-catalogue": "owners",
  "edit-tax": "owners",
  "confirm-tax": "owners",
  "switch-off-tax": "owners",
  "use-tax-file": "owners",
  "take-back-tax": "owners",
  "edit-brand": "owners",
  "take-back-brand": "owners",
  "reset-brand": "owners",
  "generate-promotion-codes": "owners",
  "export-promotion-codes": "owners",
  "withdraw-promotion-codes": "helpers",
  "grant-reseller-credits": "owners",
  "export-reseller-credits": "owners",
  "export-affiliates": "owners",
  "continue-numbers": "owners",
  "re-encrypt-secrets": "owners",
  "export-accounting": "owners",
  "add-webhook": "owners",
  "edit-webhook": "owners",
  "rotate-webhook-secret": "owners",
  "remove-webhook": "owners",
  "test-webhook": "helpers",
  "redeliver-webhook": "helpers",
  "pause-webhook": "helpers",
  "resume-webhook": "helpers",
  "export-orders": "owners",
  "export-customers": "owners",
  "export-services": "owners",
  "show-credentials": "helpers",
  "extend-service": "helpers",
  "suspend-service": "helpers",
  "resume-service": "helpers",
  "recreate-service": "helpers",
  "set-device": "helpers",
  "set-connections": "owners",
  "move-price": "owners",
  "keep-price": "owners",
  "stop-bulk": "helpers",
  "terminate-service": "owners",
  "mail-sign-in-link": "helpers",
  "view-as-customer": "helpers",
  "add-block": "helpers",
  "remove-block": "helpers",
  "block-customer": "helpers",
  "unblock-customer": "helpers",
  "correct-email": "helpers",
  "grant-credit": "owners",
  "export-customer": "owners",
  "erase-customer": "owners",
} as const satisfies Record<OperatorAction, "owners" | "helpers" | "everyone">

describe.each(actions)("the action %s", (action) => {
  test.each([
    ["owner", true],
    ["support", permitted[action] !== "owners"],
    ["viewer", permitted[action] === "everyone"],
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
    "add-promotion",
    "edit-promotion",
    "edit-catalogue",
    "take-back-catalogue",
    "edit-tax",
    "confirm-tax",
    "switch-off-tax",
    "use-tax-file",
    "take-back-tax",
    "edit-brand",
    "take-back-brand",
    "reset-brand",
    "generate-promotion-codes",
    "export-promotion-codes",
    "grant-reseller-credits",
    "export-reseller-credits",
    "export-affiliates",
    "continue-numbers",
    "re-encrypt-secrets",
    "export-accounting",
    "add-webhook",
    "edit-webhook",
    "rotate-webhook-secret",
    "remove-webhook",
    "export-orders",
    "export-customers",
    "export-services",
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

test("an operator is masked for a viewer as any email is, and the admin CLI has none", () => {
  expect(operatorShownTo("viewer", "marta@shop.test")).toBe("m…@shop.test")
  expect(operatorShownTo("support", "marta@shop.test")).toBe("marta@shop.test")
  expect(operatorShownTo("viewer", "admin CLI")).toBe("admin CLI")
})
