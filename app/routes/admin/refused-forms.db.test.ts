import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { money } from "~/domain/money/money"
import { actsOnce, type OperatorAction, operatorActions } from "~/domain/operators/operator"
import { TaxFile, taxRulesOf } from "~/domain/tax/tax-file"
import { recordPaymentUpdate } from "~/flows/payments/record-payment-update.server"
import { sealWith } from "~/security/cookie-encryption.server"
import { type ConsoleVisitor, consoleOf, enrolled } from "../../../tests/fixtures/console"
import { documentPolicy } from "../../../tests/fixtures/document-policy"
import { buy, buyPlan } from "../../../tests/fixtures/purchase"
import { openResellerAccount } from "../../../tests/fixtures/reseller-account"
import { schedulePrices } from "../../../tests/fixtures/schedule-prices"
import { choice, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import type { Filled } from "../../../tests/support/html/form-control"
import { alertsIn } from "../../../tests/support/html/form-errors"
import { formsIn, type HtmlForm } from "../../../tests/support/html/html-form"
import { attribute, elements, readHtml, textOf } from "../../../tests/support/html/html-tree"

/*
 * Every form of the console, filled in and refused: once with a key of another session, once as one that was sent before with other
 * values. Nothing is done, so that one shop serves all of them.
 */

let shop: TestShop
let owner: ConsoleVisitor
let made: Made

beforeAll(async () => {
  const taxFile = TaxFile.parse({ country: "DE", registrations: [{ country: "DE", number: "DE1" }] })
  const tax = taxRulesOf({ ...taxFile, confirmedOn: "2026-11-01" })
  shop = await openTestShop({
    taxFile: { ...taxFile, confirmedOn: "2026-11-01" },
    ...(tax && { tax }),
    documents: documentPolicy,
    mailer: { send: async () => ({ kind: "sent", response: "250 OK" }) },
  })
  owner = await enrolled(shop, "owner")
  made = await madeIn(shop)
})
afterAll(() => shop.billing.close())

type Made = Awaited<ReturnType<typeof madeIn>>

/** What the pages are about, in states that offer their forms. */
async function madeIn({ billing, services }: TestShop) {
  const at = services.now()
  const { operator } = billing
  const { id: ownerId = "" } = (await billing.operators.list()).find((it) => it.email === owner.email) ?? {}
  const sold = async (email: string) => {
    const choices = { ...choice, email }
    return buyPlan(shop, { key: email, choices })
  }
  const [paid, suspended, blocked, asked] = [
    await sold("paid@example.test"),
    await sold("suspended@example.test"),
    await sold("blocked@example.test"),
    await sold("asked@example.test"),
  ]
  const [off] = (await operator.exportCatalogue()).promotions.filter(({ code }) => code !== "WELCOME10")
  await billing.promotions?.switchOff(off?.code ?? "", at)
  await operator.suspendService(suspended.serviceId, { owner: "operator", reason: null, at })
  const { order: open } = await buy(shop, { key: "open", choices: { ...choice, email: "open@example.test" } })
  await operator.block({ kind: "customer", value: blocked.customerId, reason: "fraud", at })
  const held = await buy(shop, { key: "held", choices: { ...choice, email: "blocked@example.test" } })
  const price = { price: money(1_250, "EUR"), from: Date.UTC(2027, 2, 1), reason: "costs", at }
  await operator.movePrice(paid.serviceId, price)
  for (const id of ["asked", "refused"])
    await billing.approvals.add({
      id,
      action: "refund-order",
      orderId: asked.id,
      customerId: null,
      amount: asked.total,
      reason: "asked",
      details: { endsService: false, force: false, throughGateway: false, address: null },
      operatorId: null,
      operator: "jonas@shop.test",
      at,
      expiresAt: at + 3_600_000,
    })
  await recordPaymentUpdate(services, "offshore", {
    eventKey: "paid elsewhere",
    attemptId: "elsewhere",
    status: "paid",
    received: money(20_00, "EUR"),
    transactionId: "tx-elsewhere",
  })
  const [unmatched] = await billing.unmatched.list({ isOpen: true, limit: 1 })
  const rita = await openResellerAccount(shop, "rita@example.test")
  for (const id of ["whe_crm", "whe_paused"])
    await billing.webhooks.addEndpoint({
      id,
      url: `https://crm.example.test/${id}`,
      description: "CRM",
      subscriptions: ["*"],
      sealedSecret: "sealed",
      at,
    })
  await billing.webhooks.pauseEndpoint("whe_paused", "operator", at)
  await billing.overview.take({ need: "approval refused", operatorId: ownerId, at })
  await billing.mails.suppress({ email: "gone@example.test", scope: "all", reason: "bounce", at })
  const jonas = await enrolled(shop, "support", "jonas@shop.test")
  // Another session of the owner, which the account page ends.
  await owner.signIn({ code: owner.nextCode() })
  const { id: jonasId = "" } = (await billing.operators.list()).find((it) => it.email === jonas.email) ?? {}
  const change = { author: "olga@shop.test", reason: "typed", at, seenVersion: 0 }
  await billing.tax?.change(TaxFile.parse({ country: "AT" }), change)
  for (const [seenVersion, name] of ["One", "Two"].entries()) {
    const made = { ...change, seenVersion, how: "edit", takenFrom: null } as const
    await billing.brand.save({ brand: { name } }, made)
  }
  const { products, promotions } = await operator.exportCatalogue()
  const renamed = products.map((it) => ({ ...it, name: `${it.name}.` }))
  await operator.importCatalogue({ products: renamed, promotions }, change)
  await schedulePrices(shop, { from: Date.UTC(2027, 2, 1), price: 89_00 })
  await billing.bulk.begin(
    {
      id: "bulk1",
      list: "services",
      action: "extend-service",
      conditions: {},
      days: 1,
      reason: "outage",
      operatorId: null,
      operator: "admin CLI",
      at,
    },
    [{ item: paid.serviceId, mark: "x" }],
  )
  await billing.drains.drain("offshore", { at, offered: ["offshore", "coinbase"] })
  const sealOf = (purpose: string) => sealWith(["y".repeat(32), "x".repeat(32)], purpose)
  const secretSeals = { operators: sealOf("operators"), webhooks: sealOf("webhooks") }
  Object.assign(consoleOf(services), { secretSeals })
  const [mail] = await operator.mails({ limit: 1 })
  return {
    paid,
    suspended,
    blocked,
    asked,
    open,
    held: held.order,
    payment: unmatched?.id,
    mail: mail?.id,
    promotion: off?.code,
    operator: jonasId,
    reseller: rita.customer.id,
  }
}

/** Pages with forms, whose states offer each of them. */
const pages: Readonly<Record<string, (made: Made) => string>> = {
  "the overview": () => "/admin",
  "the own account": () => "/admin/account",
  "the audit log": () => "/admin/audit",
  "the orders": () => "/admin/orders",
  "the customers": () => "/admin/customers",
  "the services": () => "/admin/services",
  "a paid order": ({ paid }) => `/admin/orders/${paid.id}`,
  "an open order": ({ open }) => `/admin/orders/${open.id}`,
  "a held order": ({ held }) => `/admin/orders/${held.id}`,
  "an order whose refund waits": ({ asked }) => `/admin/orders/${asked.id}`,
  "a service": ({ paid }) => `/admin/services/${paid.serviceId}`,
  "a suspended service": ({ suspended }) => `/admin/services/${suspended.serviceId}`,
  "a customer": ({ paid }) => `/admin/customers/${paid.customerId}`,
  "a blocked customer": ({ blocked }) => `/admin/customers/${blocked.customerId}`,
  "a gateway": () => "/admin/gateways/coinbase",
  "a drained gateway": () => "/admin/gateways/offshore",
  "a payment that matches no order": ({ payment }) => `/admin/unmatched-payments/${payment}`,
  "the settings": () => "/admin/settings",
  "the blocks": () => "/admin/blocks",
  "the mail": () => "/admin/mail",
  "a message": ({ mail }) => `/admin/mail/${mail}`,
  "suppressed addresses": () => "/admin/mail/suppressed",
  "days for many services": () => "/admin/bulk?list=services&action=extend-service",
  "messages to many orders": () => "/admin/bulk?list=orders&action=resend-mail",
  "a bulk run": () => "/admin/bulk/bulk1",
  "the operators": () => "/admin/operators",
  "an operator": ({ operator }) => `/admin/operators/${operator}`,
  "a product": () => "/admin/catalogue/products/3",
  "a new product": () => "/admin/catalogue/products?list=plans",
  "a new option": () => "/admin/catalogue/options",
  "an option": () => "/admin/catalogue/options/2",
  "another price of renewals": () =>
    "/admin/catalogue/products/3/renewals?group=EUR+annually&price=89.00&from=2027-03-01",
  "scheduled prices": () => "/admin/catalogue/products/3/prices",
  "a version of the products": () => "/admin/catalogue/versions/1",
  tax: () => "/admin/tax",
  "the rules of tax": () => "/admin/tax/rules",
  "a version of the rules of tax": () => "/admin/tax/versions/1",
  "brand and texts": () => "/admin/brand",
  "a part of the brand": () => "/admin/brand/brand",
  "the logo": () => "/admin/brand/logo",
  "a version of the brand": () => "/admin/brand/versions/1",
  "the promotions": () => "/admin/promotions",
  "a promotion": () => "/admin/promotions/WELCOME10",
  "a promotion that is off": ({ promotion }) => `/admin/promotions/${promotion}`,
  "the codes of a promotion": () => "/admin/promotions/WELCOME10/codes",
  "a reseller": ({ reseller }) => `/admin/resellers/${reseller}`,
  "the affiliates": () => "/admin/affiliates",
  accounting: () => "/admin/accounting",
  "the one-stop shop": () => "/admin/accounting/one-stop-shop",
  "the webhooks": () => "/admin/webhooks",
  "a webhook": () => "/admin/webhooks/whe_crm",
  "a paused webhook": () => "/admin/webhooks/whe_paused",
}

/** What tells a form from the others of its page: its hidden fields and its button, without those that each page makes anew. */
const ofEachPage = ["key", "seen", "shown", "count", "draft"]
const passwords = ["password", "code", "newPassword", "confirmPassword"]

type ConsoleForm = { readonly form: HtmlForm; readonly name: string }

function keyedForms(html: string): readonly ConsoleForm[] {
  return formsIn(readHtml(html))
    .filter((form) => form.has("key"))
    .map((form) => ({ form, name: nameOf(form) }))
}

function nameOf({ controls }: HtmlForm): string {
  const fixed = controls.filter(
    (it) =>
      attribute(it, "type") === "hidden" || (it.tagName === "button" && attribute(it, "name") !== "preview"),
  )
  return fixed
    .map((it) => [attribute(it, "name"), attribute(it, "value")] as const)
    .filter(([name]) => name !== null && !ofEachPage.includes(name))
    .map((it) => it.join("="))
    .join(" ")
}

/** The form with other values in all of its fields. */
function filledIn({ form }: ConsoleForm) {
  const fields: Record<string, Filled> = {}
  for (const control of form.controls) {
    const name = attribute(control, "name") ?? ""
    const value = typedInto(control)
    if (value !== null && !ofEachPage.includes(name) && !passwords.includes(name)) fields[name] = value
  }
  const button = form.button({ name: "action" }) ?? form.button({ name: "intent" }) ?? form.button({})
  const { action, entries } = form.submission(button, fields)
  return { action, entries: entries.filter(([name]) => name !== "preview") }
}

type Control = HtmlForm["controls"][number]

const typing: Readonly<Record<string, (control: Control) => Filled | null>> = {
  textarea: () => "typed words",
  select(control) {
    const last = elements(control, ({ tagName }) => tagName === "option").at(-1)
    return last ? (attribute(last, "value") ?? textOf(last)) : null
  },
  radio: (control) => attribute(control, "value"),
  checkbox: () => true,
  date: () => "2027-03-01",
  text: () => "typed 7",
  email: () => "typed 7",
}

/** Null: the field stays as it is. */
function typedInto(control: Control): Filled | null {
  const kind = control.tagName === "input" ? (attribute(control, "type") ?? "text") : control.tagName
  return typing[kind]?.(control) ?? null
}

const typedOf = (entries: readonly (readonly [string, string])[]) =>
  entries.filter(([name]) => ![...ofEachPage, ...passwords, "action", "intent", "preview"].includes(name))

/** What is wrong with the answer to a refused form; null: it is shown again with what was typed. */
async function faultOf(
  path: string,
  sent: ConsoleForm,
  { key, says }: { readonly key: string; readonly says: string },
): Promise<unknown> {
  const { action, entries } = filledIn(sent)
  const form = new FormData()
  for (const [name, value] of entries) form.append(name, name === "key" ? key : value)
  const answer = await owner.request({ path: action.replace("/checkout", "") || path, form })
  if (answer.status !== 422) return { status: answer.status, to: answer.headers.get("location") }
  const html = await answer.text()
  if (!alertsIn(html).some((it) => it.includes(says))) return { alerts: alertsIn(html) }
  const [typed, again] = [typedOf(entries), typedAgain(html, sent)]
  return JSON.stringify(again) === JSON.stringify(typed) ? null : { typed, again }
}

/** What a form has on the page that answers it. The answer to one with a page of its own has that form alone. */
function typedAgain(html: string, { name }: ConsoleForm) {
  const forms = keyedForms(html)
  const shown = forms.find((it) => it.name === name) ?? (forms.length === 1 ? forms[0] : undefined)
  return shown ? typedOf(shown.form.submission(undefined, {}).entries) : "the form is not shown"
}

type OnPage = ConsoleForm & { readonly path: string; readonly actions: readonly OperatorAction[] }

/** The forms of a page, with the actions of their buttons. */
async function formsOf(pathOf: (it: Made) => string): Promise<readonly OnPage[]> {
  const path = pathOf(made)
  const answer = await owner.request({ path })
  expect([path, answer.status]).toEqual([path, 200])
  const html = await answer.text()
  return keyedForms(html).map((form) => ({ ...form, path, actions: actionsOf(path, form) }))
}

/** Forms that do not name their action as it is audited. */
const others: Readonly<Record<string, OperatorAction>> = {
  "/admin/operators": "add-operator",
  "/admin/promotions": "add-promotion",
  "/admin/webhooks": "add-webhook",
  "/admin/orders": "export-orders",
  "/admin/customers": "export-customers",
  "/admin/services": "export-services",
  "add-tag": "change-tags",
  "remove-tag": "change-tags",
  take: "take-need",
  leave: "leave-need",
  end: "end-session",
  password: "change-password",
  codes: "new-recovery-codes",
}

function actionsOf(path: string, { form }: ConsoleForm): readonly OperatorAction[] {
  const named = form.controls
    .filter((it) => ["action", "intent"].includes(attribute(it, "name") ?? ""))
    .map((it) => attribute(it, "value") ?? "")
  return (named.length > 0 ? named : [path]).map((it) => {
    const action = others[it] ?? it
    if (!Object.hasOwn(operatorActions, action)) throw new Error(`No action is known of the form at ${path}`)
    return action as OperatorAction
  })
}

/** Actions whose forms need a state that this shop does not have. Others of the same page stand for them. */
const notHere: readonly OperatorAction[] = [
  "retry-job",
  "discard-job",
  "dismiss-refund",
  "waive-rest",
  "dismiss-chargeback",
  "dismiss-payment",
  "confirm-action",
  "switch-off-tax",
]
/** Theirs act again with other values: see versions-sent-again.db.test.ts. */
const ofVersions = /-(catalogue|tax|brand)$|^use-tax-file$|schedule-price$/
const isActingOnce = (it: OperatorAction) =>
  // A new password is looked at first, and nothing of its form is shown again.
  actsOnce(it) && !ofVersions.test(it) && it !== "change-password"

test("every action of the console has its form in these tests", async () => {
  const found = new Set<string>()
  for (const pathOf of Object.values(pages))
    for (const { actions } of await formsOf(pathOf)) for (const action of actions) found.add(action)
  const missing = Object.keys(operatorActions).filter((it) => !found.has(it))
  expect(missing.toSorted()).toEqual(notHere.toSorted())
})

/** As if the form had been sent before. `typed`: what the log has of its values; null: nothing, as of an earlier version. */
async function markSent({ form, actions: [action = "add-note"] }: OnPage, typed: string | null) {
  const key = form.submission(undefined, {}).entries.find(([name]) => name === "key")?.[1] ?? ""
  const entry = { at: shop.services.now(), operatorId: null, operator: owner.email, action, subject: "it" }
  await shop.billing.auditLog.append({ ...entry, outcome: "started", formKey: key, formTyped: typed })
  return key
}

describe.each(Object.entries(pages))("a form of %s", (name, pathOf) => {
  const actingOnce = async () => (await formsOf(pathOf)).filter(({ actions }) => actions.every(isActingOnce))

  test("that is refused is shown again with what was typed", async () => {
    for (const form of await formsOf(pathOf)) {
      const fault = await faultOf(form.path, form, { key: "of.another-session", says: "" })
      expect([form.name, fault]).toEqual([form.name, null])
    }
  })

  test("that was sent before with other values is shown again with what was typed now", async () => {
    const says = "This form was sent before, with other values"
    for (const form of await actingOnce()) {
      const fault = await faultOf(form.path, form, { key: await markSent(form, "other values"), says })
      expect([form.name, fault]).toEqual([form.name, null])
    }
  })

  test("that was sent before as it is leads to a page that says so, and does nothing", async () => {
    // What needs a person is taken, whichever of two clicks has done it.
    const to = name === "the overview" ? "/checkout/admin" : expect.stringContaining("sent-before")
    for (const form of await actingOnce()) {
      const answer = await faultOf(form.path, form, { key: await markSent(form, null), says: "" })
      expect([form.name, answer]).toEqual([form.name, { status: 303, to }])
    }
  })
})
