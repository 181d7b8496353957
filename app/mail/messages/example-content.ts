import { DAY, HOUR, type Instant } from "~/domain/calendar"
import type { QuoteLine } from "~/domain/catalogue/pricing"
import { money } from "~/domain/money/money"
import type { OrderKind } from "~/domain/orders/order"
import { isForOperator, type MessageName, type OperatorMessage } from "~/domain/shop/mail"
import type { MessageContent, OrderInMail, ServiceInMail } from "../message"
import type { ContentOf } from "./compose/composed"

/** Example content of a message, for previews and tests: amounts, names and links are made up. */
export function exampleContent(name: MessageName, url: string, now: Instant): MessageContent {
  if (isForOperator(name)) return forOperator(name)
  switch (name) {
    case "receipt":
    case "payment-received":
    case "withdrawal":
      return { name, url, order: paid(exampleOrder("plan", now)) }
    case "new-reseller":
      return { name, url, order: paid(exampleOrder("reseller", now)) }
    case "partly-paid":
      return { name, url, order: partlyPaid(exampleOrder("plan", now)) }
    case "order-expired":
      return { name, url, order: partlyPaid(exampleOrder("plan", now - 2 * DAY)) }
    case "order-unpaid":
      return { name, url, order: exampleOrder("plan", now) }
    case "order-released":
      return { name, url, order: exampleOrder("plan", now), isChanged: false }
    case "account-credit":
      return {
        name,
        url,
        order: paid(exampleOrder("plan", now)),
        amount: money(989, "EUR"),
        event: "overpaid",
      }
    case "refund":
      return {
        name,
        url,
        order: paid(exampleOrder("plan", now)),
        amount: money(9890, "EUR"),
        isCredit: false,
        hasEnded: false,
        claimUrl: null,
      }
    case "invoice-replaced":
      return { name, url, order: paid(exampleOrder("plan", now)), amount: money(1579, "EUR") }
    case "sign-in":
      return { name, url, code: "481702", codeMinutes: 10, linkMinutes: 15 }
    case "password-changed":
      return { name, url, at: now }
    case "address-changed":
      return { name, at: now, newAddress: "ana@example.com", undoUrl: null, undoDays: 7 }
    case "address-code":
      return { name, code: "481702", codeMinutes: 30 }
    case "address-requested":
      return { name, url, at: now, newAddress: "ana@example.com" }
    case "credits-low":
      return { name, url, left: 3 }
    case "renewal-reminder":
      return { name, url, service: exampleService(now + 7 * DAY) }
    case "renewal-due":
      return { name, url, service: exampleService(now) }
    case "price-announced":
      return {
        name,
        url,
        product: "12 months",
        ending: "…WZ7M",
        price: money(8900, "EUR"),
        from: now + 40 * DAY,
        paidUntil: now + 90 * DAY,
      }
    case "days-given":
      return { name, url, product: "12 months", ending: "…WZ7M", days: 3, paidUntil: now + 93 * DAY }
    case "service-suspended":
    case "termination-notice":
    case "service-terminated":
      return { name, url, service: exampleService(now - 5 * DAY) }
  }
}

function exampleService(paidUntil: Instant): ServiceInMail {
  return {
    product: "12 months",
    ending: "…WZ7M",
    paidUntil,
    suspension: paidUntil + 3 * DAY,
    termination: paidUntil + 17 * DAY,
    fromCredit: null,
    isDeclined: false,
    isLast: false,
    isTrial: false,
  }
}

const plan: readonly QuoteLine[] = [
  { kind: "plan", productId: "3", name: "12 months", amount: money(7900, "EUR") },
  {
    kind: "extraConnection",
    optionId: "1",
    choiceId: "1",
    name: "Extra connection",
    amount: money(1990, "EUR"),
  },
]
const resellerPlan: readonly QuoteLine[] = [
  { kind: "plan", productId: "9", name: "Reseller 100", amount: money(9890, "EUR") },
]

function exampleOrder(kind: OrderKind, now: Instant): OrderInMail {
  const total = money(9890, "EUR")
  return {
    id: "7BQ697JNZK",
    kind,
    lines: kind === "reseller" ? resellerPlan : plan,
    total,
    received: money(0, "EUR"),
    usedAccountCredit: money(0, "EUR"),
    due: total,
    gateway: "offshore",
    placedAt: now - HOUR,
    deadline: now - HOUR + DAY,
    paidAt: null,
    paidUntil: null,
    renewed: [],
    endings: [],
    addsTo: null,
  }
}

function paid(order: OrderInMail): OrderInMail {
  const paidAt = order.placedAt + HOUR
  const paidUntil = order.kind === "reseller" ? null : paidAt + 365 * DAY
  return { ...order, received: order.total, due: money(0, "EUR"), paidAt, paidUntil }
}

function partlyPaid(order: OrderInMail): OrderInMail {
  return { ...order, received: money(6000, "EUR"), due: money(3890, "EUR") }
}

function forOperator(name: OperatorMessage): ContentOf<OperatorMessage> {
  const order = "7BQ697JNZK"
  const show = `npm run admin -- orders show ${order}`
  switch (name) {
    case "operator-not-provisioned":
      return {
        name,
        about: order,
        detail: "Paid 6 minutes ago, tried 4 times. Last error: the panel did not respond within 30 s.",
        commands: [show, `npm run admin -- jobs retry ${order}`],
      }
    case "operator-order-on-hold":
      return {
        name,
        about: order,
        detail: "98.90 EUR, held by the fraud check.",
        commands: [show, `npm run admin -- orders release ${order} --reason "…"`],
      }
    case "operator-gateway-down":
      return {
        name,
        about: "offshore",
        detail: "No answer for 10 minutes. Last error: connection refused.",
        commands: ["npm run admin -- gateways check"],
      }
    case "operator-gateway-up":
      return {
        name,
        about: "offshore",
        detail: "It did not respond for 24 minutes.",
        commands: ["npm run admin -- gateways check"],
      }
    case "operator-refund":
      return { name, about: order, detail: "98.90 EUR by offshore.", commands: [show] }
    case "operator-withdrawal":
      return { name, about: order, detail: "The buyer has withdrawn on the shop's page.", commands: [show] }
    case "operator-jobs-parked":
      return {
        name,
        about: "2 provisioning, 1 mail",
        detail: "The oldest was parked 3 hours ago.",
        commands: ["npm run admin -- jobs list", "npm run admin -- jobs retry --all"],
      }
    case "operator-dunning-stopped":
      return {
        name,
        about: "too many services",
        detail: "One pass would have suspended or terminated 73 services; 20 are allowed.",
        commands: ["npm run admin -- doctor", 'npm run admin -- services release-brake --reason "…"'],
      }
    case "operator-webhook-failing":
    case "operator-webhook-paused":
      return {
        name,
        about: "crm.example.com (whe_k3v9)",
        detail: "No event was accepted for a while.",
        commands: ["npm run admin -- webhooks list", "npm run admin -- webhooks resume ID"],
      }
    case "operator-access":
      return {
        name,
        about: "jonas@shop.example",
        detail: "Added as an owner by marta@shop.example.",
        commands: ["npm run admin -- audit list", "npm run admin -- operators disable EMAIL"],
      }
  }
}
