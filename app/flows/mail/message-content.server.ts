import type { MailToSend } from "~/billing/mail-repository"
import type { Services } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import { defaultLocale, localeOfCode, pageUrl } from "~/domain/locales"
import { type Money, money } from "~/domain/money/money"
import { awaitsConsent, type Order, type OrderKind } from "~/domain/orders/order"
import { paidStatuses } from "~/domain/orders/order-status"
import { taxByRate, taxesOf } from "~/domain/orders/order-tax"
import { expectsGrossPrices } from "~/domain/orders/prices-with-tax"
import { orderLinkPath, ownServicesPath, pathOf } from "~/domain/orders/screen-paths"
import { outstanding } from "~/domain/orders/settlement"
import { type TimelineEvent, usedAccountCredit, waivedOf } from "~/domain/orders/timeline"
import { topUpAsPaid } from "~/domain/orders/top-up"
import { loginEnding } from "~/domain/services/credentials"
import { lastingPrice, type RenewedItem } from "~/domain/services/renewal"
import type { Service } from "~/domain/services/service"
import { isTrial } from "~/domain/services/term"
import {
  BY_OPERATOR,
  type DunningMessage,
  isAboutEnd,
  isForOperator,
  isOutdated,
  type MessageName,
  type OperatorMessage,
  REFUND_TO_CREDIT,
  serviceIdIn,
} from "~/domain/shop/mail"
import { methodWords } from "~/domain/shop/payment-methods"
import { signInMessage } from "~/flows/customers/sign-in-message.server"
import { creditForRenewal } from "~/flows/services/credit-for-renewal.server"
import { renewalLink } from "~/flows/services/renewal-link.server"
import type { MessageContent, OrderInMail, TaxInMail } from "~/mail/message"
import { addressChanged, addressCode, addressRequested } from "./email-change-message.server"
import { forOperator } from "./operator-message.server"

/** What a message says, and who gets it. `email`: null for the operator. */
export type Addressed = { readonly content: MessageContent; readonly email: string | null }

/** Content of a message, from what its order, customer or request is now. Null if there is nothing to say (any more). */
export async function contentOf(services: Services, mail: MailToSend): Promise<Addressed | null> {
  if (mail.name === "sign-in") return signIn(services, mail)
  const content = isForOperator(mail.name)
    ? await forOperator(services, mail, mail.name)
    : await forCustomer(services, mail, mail.name)
  return content && { content, email: mail.email }
}

async function signIn(
  services: Services,
  { requestId, email, locale, detail }: MailToSend,
): Promise<Addressed | null> {
  if (requestId === null || email === null) return null
  const message = await signInMessage(services, {
    requestId,
    email,
    locale,
    isByOperator: detail === BY_OPERATOR,
  })
  if (message === null) return null
  const { email: recipient, ...content } = message
  return { content: { name: "sign-in", ...content }, email: recipient }
}

type ForCustomer = Exclude<MessageName, OperatorMessage | "sign-in">

async function forCustomer(
  services: Services,
  mail: MailToSend,
  name: ForCustomer,
): Promise<MessageContent | null> {
  const at = mail.enqueuedAt
  if (name === "password-changed") return { name, at, url: urlOf(services, mail, ownServicesPath) }
  if (isAboutAddress(name)) return aboutAddress[name](services, mail)
  if (name === "credits-low") return creditsLow(services, mail)
  if (isAboutEnd(name)) return aboutService(services, mail, name)
  if (name === "price-announced") return priceAnnounced(services, mail)
  if (name === "days-given") return daysGiven(services, mail)
  return mail.orderId === null ? null : aboutOrder(services, mail, { name, orderId: mail.orderId })
}

const aboutAddress = {
  "address-code": addressCode,
  "address-requested": addressRequested,
  "address-changed": addressChanged,
} as const

function isAboutAddress(name: ForCustomer): name is keyof typeof aboutAddress {
  return Object.hasOwn(aboutAddress, name)
}

async function creditsLow(services: Services, mail: MailToSend): Promise<MessageContent | null> {
  if (mail.clientId === null) return null
  const { balance } = await services.billing.resellerCredits({ id: mail.clientId, reach: "account" }, 0)
  return { name: "credits-low", left: balance, url: urlOf(services, mail, ownServicesPath) }
}

async function aboutService(
  services: Services,
  mail: MailToSend,
  name: DunningMessage,
): Promise<MessageContent | null> {
  const serviceId = serviceIdIn(mail.detail ?? "")
  const [end, stored] = await Promise.all([
    services.dunning?.endOf(serviceId),
    services.billing.service(serviceId),
  ])
  if (!end || !stored) return null
  const { orderId, ...about } = end
  const [ending, fromCredit] = await Promise.all([
    endingOf(services, stored),
    creditForRenewal(services, stored),
  ])
  const service = { ...about, ending, fromCredit }
  // An ended service is offered on the customer's own page.
  if (service.isLast) return { name, service, url: urlOf(services, mail, pathOf.viewer.checkout) }
  const link = name === "service-terminated" ? null : await renewalLink(services, serviceId)
  return { name, service, url: urlOf(services, mail, link ?? orderLinkPath(orderId)) }
}

/** Null: the operator has taken the price back, or announced another one. */
async function priceAnnounced(services: Services, mail: MailToSend): Promise<MessageContent | null> {
  const serviceId = serviceIdIn(mail.detail ?? "")
  const { billing } = services
  const [service, terms] = await Promise.all([billing.service(serviceId), billing.renewalTerms(serviceId)])
  const announced = terms?.announced
  if (!service?.paidUntil || !announced || `${serviceId} ${announced.from}` !== mail.detail) return null
  const { name, paidUntil, orderId } = service
  const product = terms.next?.name ?? name
  const ending = await endingOf(services, service)
  const link = (await renewalLink(services, serviceId)) ?? orderLinkPath(orderId)
  const url = urlOf(services, mail, link)
  const price = lastingPrice(announced.price, terms)
  return { name: "price-announced", product, ending, paidUntil, ...announced, price, url }
}

async function daysGiven(services: Services, mail: MailToSend): Promise<MessageContent | null> {
  const [serviceId = "", days] = (mail.detail ?? "").split(" ")
  const service = await services.billing.service(serviceId)
  if (!service?.paidUntil) return null
  const { name: product, paidUntil, orderId } = service
  const ending = await endingOf(services, service)
  const url = urlOf(services, mail, orderLinkPath(orderId))
  return { name: "days-given", product, ending, paidUntil, days: Number(days), url }
}

type Named = Pick<Service, "name" | "username">

async function endingOf(
  services: Services,
  service: Named & Pick<Service, "customerId">,
): Promise<string | null> {
  const [ending = null] = await endingsOf(services, service.customerId, [service])
  return ending
}

/**
 * What tells services from others of the same plan of their customer, in a message, which never contains a username: the end of
 * it. Null where there is no other one.
 */
async function endingsOf({ billing }: Services, customerId: string, named: readonly Named[]) {
  if (named.length === 0) return []
  const all = await billing.servicesOf({ id: customerId, reach: "account" })
  const equals = (plan: string) =>
    all.filter(({ name, status }) => name === plan && status !== "Cancelled").length
  return named.map(({ name, username }) => (equals(name) > 1 ? loginEnding(username) : null))
}

type AboutOrder = {
  readonly name: Exclude<
    ForCustomer,
    | DunningMessage
    | "password-changed"
    | keyof typeof aboutAddress
    | "credits-low"
    | "price-announced"
    | "days-given"
  >
  readonly orderId: string
}

async function aboutOrder(
  services: Services,
  mail: MailToSend,
  { name, orderId }: AboutOrder,
): Promise<MessageContent | null> {
  const found = await services.billing.order(orderId)
  if (!found || isOutdated(name, found.status)) return null
  const [parts, invoiceNumber, externalInvoice] = await Promise.all([
    partsOf(services, found),
    invoiceNumberOf(services, found),
    services.hasExternalBilling ? services.billing.externalInvoiceOf(orderId) : null,
  ])
  const methodName = methodNameOf(services, found, mail)
  const order = { ...orderInMail(found, parts), methodName, invoiceNumber, externalInvoice }
  const url = urlOf(services, mail, orderLinkPath(orderId))
  const amount = mail.amount ?? nothing(found)
  if (name === "refund")
    return {
      name,
      order,
      url,
      amount,
      hasEnded: hasEnded(found, parts),
      ...(await refundIn(services, mail, { orderId, amount })),
    }
  if (name === "order-released") return { name, order, url, isChanged: awaitsConsent(found) }
  if (name === "invoice-replaced") return { name, order, url, amount }
  if (name !== "account-credit") return { name, order, url }
  return { name, order, url, amount, event: creditEvent(mail.detail, found) }
}

/** Whether what a refunded order had bought has ended. */
function hasEnded({ kind }: Order, { service }: OrderParts): boolean {
  return kind === "plan" && service?.status === "Terminated"
}

type RefundOfOrder = { readonly orderId: string; readonly amount: Money }

/** Where a refund has gone; what is account credit waits at no gateway. */
async function refundIn(
  services: Services,
  { detail }: MailToSend,
  { orderId, amount }: RefundOfOrder,
): Promise<{ readonly isCredit: boolean; readonly claimUrl: string | null }> {
  const isCredit = detail === REFUND_TO_CREDIT
  return { isCredit, claimUrl: isCredit ? null : await claimOf(services, orderId, amount) }
}

/** The number of an order's invoice; undefined while it has none. */
async function invoiceNumberOf({ documents }: Services, { id, tax }: Order): Promise<string | undefined> {
  if (!tax) return undefined
  return (await documents.taxDocumentNumbers([id])).get(id)?.[0]
}

/** Where the buyer takes a refund of this amount that a gateway has not sent but laid ready; null for others. */
async function claimOf({ refunds }: Services, orderId: string, { minor }: Money): Promise<string | null> {
  const ready = (await refunds.ofOrder(orderId)).filter(
    ({ state, amount }) => state === "sent" && amount.minor === minor,
  )
  return ready.at(-1)?.claimUrl ?? null
}

/** Orders whose messages say something of their service. */
const serviceIsNamed: readonly OrderKind[] = ["plan", "plan-change", "upsell"]

async function partsOf(services: Services, { id, kind, serviceId, customerId }: Order): Promise<OrderParts> {
  const { billing } = services
  const [timeline, items, service] = await Promise.all([
    billing.timeline(id),
    kind === "renewal" ? billing.renewalItems(id) : [],
    serviceIsNamed.includes(kind) ? billing.service(serviceId) : null,
  ])
  const named = kind === "upsell" && service ? [service] : items
  return { timeline, items, service, endings: await endingsOf(services, customerId, named) }
}

/** A paid order has not ended without being complete: it did not fit its service any more when it was paid. */
function creditEvent(
  detail: string | null,
  { status }: Pick<Order, "status">,
): "overpaid" | "credited" | "part-credited" {
  if (detail === "part-credited" && paidStatuses.includes(status)) return "credited"
  return detail === "overpaid" || detail === "part-credited" ? detail : "credited"
}

type OrderParts = {
  readonly timeline: readonly TimelineEvent[]
  /** What a plan has created, or a change of plan or extra connections are for; null for other orders. */
  readonly service: Service | null
  /** What a renewal renews. */
  readonly items?: readonly RenewedItem[]
  /** See `endingsOf`: of `items`, or else of `service`. */
  readonly endings?: readonly (string | null)[]
}

/** The operator's name of the payment method, as the checkout has it. */
function methodNameOf({ shop }: Services, { gateway }: Order, { locale }: MailToSend): string | null {
  return methodWords(shop.methods, gateway, (localeOfCode(locale) ?? defaultLocale).code).name
}

/** An order as messages show it. */
function orderInMail(order: Order, parts: OrderParts): OrderInMail {
  const { timeline, service, items = [], endings = [] } = parts
  const { id, kind, lines, total, received, gateway } = topUpAsPaid(order, timeline)
  return {
    id,
    kind,
    lines,
    total,
    received,
    usedAccountCredit: usedAccountCredit(timeline, total.currency),
    waived: waivedOf(timeline),
    due: outstanding(order),
    gateway,
    placedAt: order.placedAt,
    deadline: order.deadline,
    paidAt: timeline.find((event) => event.kind === "paid")?.at ?? null,
    paidUntil: kind === "upsell" ? null : paidUntilOf(service),
    isTrial: isTrial(service?.term ?? null),
    withdrawnAt: timeline.find((event) => event.kind === "withdrawn")?.at,
    declarations: order.saleTerms?.declarations ?? undefined,
    taxes: taxesInMail(order),
    renewed: items.flatMap(({ name, until }, at) =>
      until === null ? [] : [{ name, ending: endings[at] ?? null, until }],
    ),
    endings: kind === "renewal" ? endings : [],
    addsTo: kind === "upsell" && service ? { name: service.name, ending: endings[0] ?? null } : null,
  }
}

function taxesInMail({ tax, externalTax, total: { currency } }: Order): readonly TaxInMail[] | undefined {
  if (!tax || expectsGrossPrices(tax.place.country))
    return taxesOf({ tax, externalTax })?.map(({ basisPoints, amount }) => ({
      rate: basisPoints,
      amount: money(amount, currency),
    }))
  return taxByRate(tax)
    .filter(({ basisPoints }) => basisPoints > 0)
    .map(({ basisPoints, tax: minor, net }) => ({
      rate: basisPoints,
      amount: money(minor, currency),
      net: money(net, currency),
    }))
}

/** The end of what an order has bought. While it is set up, its start may still move. */
function paidUntilOf(service: Service | null): Instant | null {
  return service?.status === "Active" ? service.paidUntil : null
}

function nothing({ total }: Order): Money {
  return money(0, total.currency)
}

function urlOf({ shop }: Pick<Services, "shop">, { locale }: MailToSend, path: string): string {
  return pageUrl(shop.publicUrl, localeOfCode(locale) ?? defaultLocale, path)
}
