import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { type CheckoutSession, sessionContext } from "~/context/session.server"
import { EMAIL_CODE_PERIOD } from "~/domain/customers/email-change"
import { localPath } from "~/domain/locales"
import { ACCOUNT, ownServicesPath, RENEW } from "~/domain/orders/screen-paths"
import { neededProof } from "~/flows/customers/request-email-change.server"
import { accessibleServices } from "~/flows/services/accessible-services.server"
import { type ScreenTexts, screenTexts } from "~/i18n/load-screen-texts.server"
import { signInPage } from "~/middleware/customers/sign-in-page.server"
import type { AccountView } from "~/ui/account/account-screen"
import { dateTimeText, moneyText } from "~/ui/layout/format"
import { renewableServices } from "../renewal/renewable-services.server"
import { paymentsOfAccount } from "../services/payments-view.server"
import { servicesListed } from "../services/service-list.server"

type Customer = NonNullable<CheckoutSession["customer"]>

/** Whether a URL of the service page asks for the account. */
export function asksForAccount(url: URL): boolean {
  return url.searchParams.has(ACCOUNT)
}

/** The signed-in customer of the page of the account. Throws the sign-in screen for anybody else. */
export function accountCustomer(context: RouteContext): Customer {
  const { customer } = context.get(sessionContext)
  if (!customer) throw signInPage(context, { reason: "needed", status: 401 })
  return customer
}

/** What the page of an account shows: all services, all payments, the account credit and the sessions. */
export async function loadAccount(context: RouteContext, url: URL): Promise<AccountView> {
  const services = context.get(servicesContext)
  const customer = accountCustomer(context)
  const locale = context.get(localeContext)
  const t = screenTexts(locale.code)
  const all = await accessibleServices(services, context.get(sessionContext))
  const own = all.filter((it) => it.customerId === customer.id)
  const [renewable, payments, credit, email] = await Promise.all([
    renewableServices(context, own),
    paymentsOfAccount(context, { customer, services: own, receipt: url.searchParams.get("receipt") }),
    creditOf(context, customer),
    emailChangeOf(context, { url, customer, t }),
  ])
  return {
    heading: t("account.heading"),
    email: customer.email,
    back: own.length > 0 ? { text: t("account.back"), path: localPath(locale, ownServicesPath) } : null,
    services: servicesListed(context, own, renewable),
    // With external billing, an order pays one of its invoices.
    renewAll: services.invoiceRenewals ? null : renewAllOf(Object.keys(renewable), t),
    payments,
    credit: credit && {
      heading: t("account.credit"),
      text: t("topUp.now", { credit: moneyText(credit, locale) }),
      note: t("account.creditNote"),
    },
    emailChange: email,
    sessions: sessionsOf(context, t),
    done: doneOf(url, customer, t),
  }
}

function doneOf(url: URL, { email }: Customer, t: ScreenTexts): string | null {
  const done = url.searchParams.get("done")
  if (done === "email") return t("account.email.changed", { email })
  return done === "sessions" ? t("account.ended") : null
}

type EmailPart = { readonly url: URL; readonly customer: Customer; readonly t: ScreenTexts }

/** Null: this session may not change the e-mail. */
async function emailChangeOf(
  context: RouteContext,
  { url, customer, t }: EmailPart,
): Promise<AccountView["emailChange"]> {
  const services = context.get(servicesContext)
  const { emailChanges, now } = services
  const needed = await neededProof(services, { customer, proof: context.get(sessionContext).proof })
  if (emailChanges === null || needed === null) return null
  const open = await emailChanges.openOf(customer.id, now() - EMAIL_CODE_PERIOD)
  const pending = open && {
    heading: t("account.email.change"),
    lead: t("account.email.sent", { email: open.newEmail }),
    label: t("account.email.code"),
    note: t("account.email.codeNote"),
    submit: t("account.email.confirm"),
  }
  return {
    pending,
    summary: t(pending ? "account.email.other" : "account.email.change"),
    lead: t("account.email.lead"),
    label: t("account.email.label"),
    send: t("account.email.send"),
    password: needed === "password" ? t("account.email.password") : null,
    again:
      needed === "sign-in"
        ? { lead: t("account.email.proof"), action: t("account.email.proofAction") }
        : null,
    errors: {
      "account.email.same": t("account.email.same"),
      "account.email.wrongPassword": t("account.email.wrongPassword"),
      "account.email.codeInvalid": t("account.email.codeInvalid"),
      "account.email.codeWrong": t("account.email.codeWrong"),
      "account.email.codeEnded": t("account.email.codeEnded"),
    },
    isOpen: url.searchParams.has("email"),
  }
}

/** Null: the credit is the account's, and this session is of a sign-up, or an external billing has it. */
async function creditOf(context: RouteContext, { id, reach, currency }: Customer) {
  const { payments, shop } = context.get(servicesContext)
  if (reach !== "account" || shop.terms === null) return null
  return payments.accountCredit(id, currency)
}

/** The page of the first service with all others selected, which are paid in one order. */
function renewAllOf([first, ...others]: readonly string[], t: ScreenTexts): AccountView["renewAll"] {
  if (first === undefined || others.length === 0) return null
  const query = new URLSearchParams([["serviceid", first], ...others.map((id) => ["also", id])])
  return { text: t("account.renewAll"), path: `?${query}&${RENEW}#renewal` }
}

function sessionsOf(context: RouteContext, t: ScreenTexts): AccountView["sessions"] {
  const { proof } = context.get(sessionContext)
  const { timeZone } = context.get(servicesContext).shop
  const moment = proof && dateTimeText(proof.at, context.get(localeContext), timeZone)
  return {
    heading: t("account.sessions"),
    own: moment && t(proof.how === "password" ? "account.byPassword" : "account.byLink", { moment }),
    lead: t("account.endLead"),
    action: t("account.end"),
  }
}
