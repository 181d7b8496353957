import { expect, test } from "vitest"
import { bulkActions, bulkLists } from "~/domain/console/bulk"
import { actsOnce, type OperatorAction, operatorActions } from "~/domain/operators/operator"
import { allCommands } from "./grammar.server"

/** The command that does what an action of the console does. An action without a row does not compile. */
const commandOf = {
  "take-need": "needs take",
  "leave-need": "needs leave",
  // Who has lost password or codes, or wants others, gets a new one-time link.
  "change-password": "operators reset",
  "new-recovery-codes": "operators reset",
  "end-session": "operators end-sessions",
  "add-operator": "operators add",
  "reset-operator": "operators reset",
  "disable-operator": "operators disable",
  "end-operator-sessions": "operators end-sessions",
  "export-audit-log": "audit export",
  "poll-order": "orders poll",
  "add-note": "orders add-note",
  "change-tags": "orders add-tag",
  "resend-mail": "mail resend",
  "allow-address": "mail suppressed",
  "send-test-mail": "mail test",
  "retry-job": "jobs retry",
  "dismiss-refund": "orders dismiss-refund",
  "dismiss-chargeback": "orders dismiss-chargeback",
  "discard-job": "jobs discard",
  "release-order": "orders release",
  "refuse-order": "orders refuse",
  "cancel-order": "orders cancel",
  "mark-order-paid": "orders mark-paid",
  "waive-rest": "orders waive-rest",
  "refund-order": "orders refund",
  "confirm-action": "approvals confirm",
  "refuse-action": "approvals refuse",
  "assign-payment": "unmatched-payments assign",
  "credit-payment": "unmatched-payments assign",
  "return-payment": "unmatched-payments return",
  "dismiss-payment": "unmatched-payments dismiss",
  "drain-gateway": "gateways drain",
  "offer-gateway": "gateways offer",
  "test-callback": "gateways test-callback",
  "switch-off-promotion": "promotions switch-off",
  "switch-on-promotion": "promotions switch-on",
  "add-promotion": "promotions add",
  "edit-promotion": "promotions edit",
  // The command line changes products by the file, which has all of them.
  "edit-catalogue": "catalogue import",
  "take-back-catalogue": "catalogue take-back",
  "schedule-price": "catalogue schedule-price",
  "unschedule-price": "catalogue unschedule-price",
  "edit-tax": "tax set",
  "confirm-tax": "tax confirm",
  "switch-off-tax": "tax switch-off",
  "use-tax-file": "tax use-file",
  "take-back-tax": "tax restore",
  "edit-brand": "brand set",
  "take-back-brand": "brand restore",
  "reset-brand": "brand reset",
  "generate-promotion-codes": "promotions generate-codes",
  "export-promotion-codes": "promotions export-codes",
  "withdraw-promotion-codes": "promotions withdraw-codes",
  "grant-reseller-credits": "resellers grant-credits",
  "export-reseller-credits": "resellers statement",
  "export-affiliates": "affiliates export",
  "continue-numbers": "documents continue-after",
  "re-encrypt-secrets": "secrets re-encrypt",
  "export-accounting": "accounting export",
  "add-webhook": "webhooks add",
  "edit-webhook": "webhooks edit",
  "rotate-webhook-secret": "webhooks rotate-secret",
  "remove-webhook": "webhooks remove",
  "test-webhook": "webhooks test",
  "redeliver-webhook": "webhooks redeliver",
  "pause-webhook": "webhooks pause",
  "resume-webhook": "webhooks resume",
  "export-orders": "orders export",
  "export-customers": "customers export-list",
  "export-services": "services export",
  "show-credentials": "services credentials",
  "extend-service": "services extend",
  "suspend-service": "services suspend",
  "resume-service": "services resume",
  "recreate-service": "services recreate",
  "set-device": "services set-device",
  "set-connections": "services set-connections",
  "move-price": "services move-price",
  "keep-price": "services keep-price",
  "stop-bulk": "bulk stop",
  "terminate-service": "services terminate",
  "mail-sign-in-link": "customers mail-sign-in-link",
  // The command line has no page to look at: it shows what the customer has.
  "view-as-customer": "customers show",
  "add-block": "blocks add",
  "remove-block": "blocks remove",
  "block-customer": "blocks add",
  "unblock-customer": "blocks remove",
  "correct-email": "customers change-email",
  "grant-credit": "customers grant-credit",
  "export-customer": "customers export",
  "erase-customer": "customers erase",
} as const satisfies Record<OperatorAction, string>

test.each(Object.keys(operatorActions) as OperatorAction[])(
  "what the console does by %s, a command does too",
  (action) => {
    expect(allCommands().has(commandOf[action])).toBe(true)
  },
)

test.each((Object.keys(operatorActions) as OperatorAction[]).filter((action) => !actsOnce(action)))(
  "what %s hands out has a reason on the command line, as in the console",
  (action) => {
    expect(allCommands().get(commandOf[action])?.required).toContain("reason")
  },
)

/** The command of each action on many rows. */
const bulkCommandOf = {
  "orders retry-job": "bulk retry",
  "orders resend-mail": "bulk resend",
  "orders cancel-order": "bulk cancel",
  "services extend-service": "bulk extend",
  "jobs retry-job": "bulk retry-jobs",
} as const

test("what the console does with many rows, a command does too", () => {
  const offered = bulkLists.flatMap((list) => bulkActions[list].map((action) => `${list} ${action}`))
  expect(offered.toSorted()).toEqual(Object.keys(bulkCommandOf).toSorted())
  for (const command of Object.values(bulkCommandOf)) expect(allCommands().has(command)).toBe(true)
})

/** The command that lists what a page of the console shows. */
const listOf = {
  overview: "needs list",
  "first-day": "checklist show",
  audit: "audit list",
  orders: "orders list",
  customers: "customers list",
  services: "services list",
  jobs: "jobs list",
  mail: "mail list",
  blocks: "blocks list",
  backups: "backup list",
  settings: "settings show",
  "suppressed addresses": "mail suppressed",
  "unmatched-payments": "unmatched-payments list",
  "rejected-callbacks": "gateways rejected-callbacks",
  "a rejected callback": "gateways show-rejected-callback",
  gateways: "gateways check",
  catalogue: "catalogue versions",
  tax: "tax show",
  "versions of the rules of tax": "tax versions",
  brand: "brand versions",
  promotions: "promotions list",
  "codes of a promotion": "promotions list-codes",
  resellers: "resellers list",
  "a reseller": "resellers show",
  affiliates: "affiliates list",
  "an affiliate": "affiliates show",
  "a document of an order": "documents save",
  accounting: "accounting show",
  "one-stop shop": "accounting one-stop-shop",
  operators: "operators list",
  webhooks: "webhooks list",
  "deliveries of a webhook": "webhooks deliveries",
  bulk: "bulk list",
} as const

test.each(Object.entries(listOf))("what the page %s lists, a command lists too", (_, command) => {
  expect(allCommands().has(command)).toBe(true)
})

/** Actions whose form in the console asks for no reason either. */
const withoutReason: readonly OperatorAction[] = [
  "take-need",
  "leave-need",
  "poll-order",
  "add-note",
  "change-tags",
  "test-webhook",
  "view-as-customer",
]

test("a command takes a reason for the audit log if the console asks for one", () => {
  const without = (Object.keys(operatorActions) as OperatorAction[]).filter(
    (action) => allCommands().get(commandOf[action])?.options?.reason === undefined,
  )
  expect(without.toSorted()).toEqual(withoutReason.toSorted())
})
