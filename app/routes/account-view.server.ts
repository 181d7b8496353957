import type { RouterContextProvider } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { type CheckoutSession, sessionContext } from "~/context/session.server"
import { localPath } from "~/domain/locales"
import { ACCOUNT, ownServicesPath, RENEW } from "~/domain/screen-paths"
import { accessibleServices } from "~/flows/services/accessible-services.server"
import { type ScreenTexts, screenTexts } from "~/i18n/load-screen-texts.server"
import { signInPage } from "~/middleware/sign-in-page.server"
import type { AccountView } from "~/ui/account/account-screen"
import { dateTimeText, moneyText } from "~/ui/layout/format"
import { paymentsOfAccount } from "./payments-view.server"
import { renewableServices } from "./renewal-view.server"
import { servicesListed } from "./service-page.server"

type Context = Readonly<RouterContextProvider>
type Customer = NonNullable<CheckoutSession["customer"]>

/** Whether a URL of the service page asks for the account. */
export function asksForAccount(url: URL): boolean {
  return url.searchParams.has(ACCOUNT)
}

/** The signed-in customer of the page of the account. Throws the sign-in screen for anybody else. */
export function accountCustomer(context: Context): Customer {
  const { customer } = context.get(sessionContext)
  if (!customer) throw signInPage(context, { reason: "needed", status: 401 })
  return customer
}

/** What the page of an account shows: all services, all payments, the account credit and the sessions. */
export async function loadAccount(context: Context, url: URL): Promise<AccountView> {
  const services = context.get(servicesContext)
  const customer = accountCustomer(context)
  const locale = context.get(localeContext)
  const t = screenTexts(locale.code)
  const all = await accessibleServices(services, context.get(sessionContext))
  const own = all.filter((it) => it.customerId === customer.id)
  const [renewable, payments, credit] = await Promise.all([
    renewableServices(context, own),
    paymentsOfAccount(context, { customer, services: own, receipt: url.searchParams.get("receipt") }),
    creditOf(context, customer),
  ])
  return {
    heading: t("account.heading"),
    email: customer.email,
    back: own.length > 0 ? { text: t("account.back"), path: localPath(locale, ownServicesPath) } : null,
    services: servicesListed(own, renewable),
    timeZone: services.shop.timeZone,
    renewAll: renewAllOf(Object.keys(renewable), t),
    payments,
    credit: credit && {
      heading: t("account.credit"),
      text: t("topUp.now", { credit: moneyText(credit, locale) }),
      note: t("account.creditNote"),
    },
    sessions: sessionsOf(context, t),
    done: url.searchParams.get("done") === "sessions" ? t("account.ended") : null,
  }
}

/** Null: the credit is the account's, and this session is of a sign-up, or an external billing has it. */
async function creditOf(context: Context, { id, reach, currency }: Customer) {
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

function sessionsOf(context: Context, t: ScreenTexts): AccountView["sessions"] {
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
