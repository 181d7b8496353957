import { RouterContextProvider, redirect } from "react-router"
import type { CustomerDetails } from "~/billing/customers/customer-admin"
import { consoleRequest } from "~/context/console.server"
import { localeContext } from "~/context/locale.server"
import { type LoggedServices, servicesContext } from "~/context/services.server"
import { emptySession, sessionContext } from "~/context/session.server"
import { BASE } from "~/domain/base-path"
import { defaultLocale, localeOfCode } from "~/domain/locales"
import { mayDo } from "~/domain/operators/operator"
import { pathOf } from "~/domain/orders/screen-paths"
import type { Service } from "~/domain/services/service"
import { startCustomerView } from "~/flows/admin/customers/act-on-customer.server"
import { customerView } from "~/flows/admin/customers/customer-page.server"
import { customerViewEnd } from "~/flows/admin/customers/view-as-customer.server"
import { formOf } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { loadServicePage } from "~/routes/success/service-page.server"
import { consolePage } from "~/ssr/console-page.server"
import { customerViewPage } from "~/ssr/customer-view.server"
import { CustomerViewBanner, NoCustomerViewScreen } from "~/ui/admin/customers/customer-view-screen.server"
import { customerHref } from "~/ui/admin/record-links.server"
import { SuccessScreen } from "~/ui/success/success-screen"
import { changeFormIn } from "../action-form.server"
import { sentBefore } from "../action-notice.server"
import type { Route } from "./+types/customer-view"
import { handedOutPage } from "./customer-handed-out.server"

const SERVICE_PAGE = `${BASE}${pathOf.viewer.success}`

/** Starts a view of 15 minutes. */
export async function action({ request, context, params: { id } }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const asked = { id, ...changeFormIn(await formOf(request)) }
  const outcome = await startCustomerView(services, actor, asked)
  const address = `/admin/customers/${encodeURIComponent(id)}`
  if (outcome.kind === "done") return redirect(`${address}/view?${outcome.value}`, 303)
  if (outcome.kind === "repeated") return sentBefore(address)
  return handedOutPage(context, { action: "view-as-customer", asked, outcome })
}

/** The customer's service page, read-only: nothing of it reaches the cookie of the checkout. */
export async function loader(args: Route.LoaderArgs) {
  const { context, params, url } = args
  const { services, session } = consoleRequest(context)
  const { id: customerId } = params
  const customer = await customerView(services, customerId, session.role)
  if (!customer) throw new Response(null, { status: 404 })
  const until = customerViewEnd(services, session, { customerId, query: url.searchParams })
  if (until === null || !mayDo(session.role, "view-as-customer")) return noView(args, "over")
  const own = contextOf(services, customer, url.searchParams.get("service"))
  const paid = await own.get(servicesContext).billing.servicesOf({ id: customerId, reach: "account" })
  if (!paid.some(({ kind }) => kind === "plan")) return noView(args, "none")
  const shown = await loadServicePage(own, { url: new URL(SERVICE_PAGE, url), headers: new Headers() })
  return customerViewPage(context, {
    title: t("view.title", { email: customer.email }),
    locale: own.get(localeContext),
    banner: (
      <CustomerViewBanner
        customerId={customerId}
        email={customer.email}
        until={until}
        services={paid
          .filter(({ id, kind }) => id !== shown.service.id && kind === "plan")
          .map(({ id, name }) => ({ name, href: addressOf(customerId, url, id) }))}
        timeZone={services.shop.timeZone}
      />
    ),
    screen: (
      <SuccessScreen
        {...shown}
        playlistAddress={null}
        playlistQr={null}
        lastResult={undefined}
        failed={null}
        orderEmail={null}
        address={null}
        isEmailOpen={false}
        passwordForm={null}
        accountLink={null}
      />
    ),
  })
}

function noView({ context, params: { id } }: Route.LoaderArgs, why: "over" | "none"): Response {
  return consolePage(
    context,
    {
      title: t("customer.action.view-as-customer.name"),
      path: "/admin/customers",
      status: why === "over" ? 403 : 200,
    },
    <NoCustomerViewScreen customerId={id} why={why} />,
  )
}

/** What a request of the customer would have, with covered passwords. Nothing writes it back. */
function contextOf(services: LoggedServices, customer: CustomerDetails, serviceId: string | null) {
  const context = new RouterContextProvider()
  context.set(servicesContext, withCoveredPasswords(services))
  context.set(localeContext, localeOfCode(customer.locale) ?? defaultLocale)
  const { id, email, currency } = customer
  context.set(sessionContext, {
    ...emptySession,
    serviceId,
    customer: { id, email, currency, reach: "account" },
  })
  return context
}

const COVER = "••••••••"

/** Services whose customers' passwords are covered where they are read: no part of a page has them. */
function withCoveredPasswords(services: LoggedServices): LoggedServices {
  const { billing } = services
  const covered = (service: Service): Service => ({ ...service, password: COVER })
  return {
    ...services,
    billing: {
      ...billing,
      service: async (id) => {
        const found = await billing.service(id)
        return found && covered(found)
      },
      servicesOf: async (customer) => (await billing.servicesOf(customer)).map(covered),
    },
  }
}

/** The same view of another service. */
function addressOf(customerId: string, { searchParams }: URL, serviceId: string): string {
  const query = new URLSearchParams(searchParams)
  query.set("service", serviceId)
  return `${customerHref(customerId)}/view?${query}`
}
