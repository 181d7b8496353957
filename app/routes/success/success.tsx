import { formOf } from "~/http/form.server"
import { noStore } from "~/middleware/cache-control.server"
import { auth } from "~/middleware/customers/auth.server"
import { emailChangeLink } from "~/middleware/customers/email-change-link.server"
import { signInLink } from "~/middleware/customers/sign-in-link.server"
import { orderLink } from "~/middleware/orders/order-link.server"
import { redirections } from "~/middleware/orders/redirections.server"
import type { PageHandle } from "~/ssr/document"
import { AccountScreen } from "~/ui/account/account-screen"
import { PlanScreen } from "~/ui/renewal/plan-screen"
import { PasswordForm } from "~/ui/success/password-form"
import { SuccessScreen } from "~/ui/success/success-screen"
import { AccessCheck } from "~/ui/waiting/access-check"
import { OrderEmail } from "~/ui/waiting/order-email"
import { OrderPoller } from "~/ui/waiting/order-poller"
import { handleAccountAction } from "../account/account-action.server"
import { asksForAccount, loadAccount } from "../account/account-view.server"
import { asksForPlan, loadPlanPage } from "../plan-change/plan-view.server"
import type { Route } from "./+types/success"
import { handleServiceAction } from "./service-action.server"
import { loadServicePage } from "./service-page.server"

export const middleware: Route.MiddlewareFunction[] = [
  noStore,
  emailChangeLink,
  signInLink,
  orderLink,
  auth("buyer"),
  redirections("success"),
]
export const handle = { title: "title.success", public: false, firstStyle: "service" } satisfies PageHandle

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders

/** `?account` shows the signed-in customer's account, `?plan` the change of a service's plan, without them a service. */
export async function loader({ request, url, context }: Route.LoaderArgs) {
  if (asksForAccount(url)) {
    const account = await loadAccount(context, url)
    return { account, title: account.heading }
  }
  if (asksForPlan(url)) {
    const planChange = await loadPlanPage(context, { url, headers: request.headers })
    return { planChange, title: planChange.heading }
  }
  return loadServicePage(context, { url, headers: request.headers })
}

export async function action(args: Route.ActionArgs) {
  const form = await formOf(args.request)
  return asksForAccount(args.url) ? handleAccountAction(form, args.context) : handleServiceAction(form, args)
}

export default function Success({ loaderData, actionData }: Route.ComponentProps) {
  if ("account" in loaderData && loaderData.account) {
    const { lastResult = null, retryAfterSeconds = 0 } = actionData ?? {}
    return (
      <AccountScreen
        view={loaderData.account}
        lastResult={lastResult}
        retryAfterSeconds={retryAfterSeconds}
      />
    )
  }
  if ("planChange" in loaderData && loaderData.planChange)
    return <PlanScreen view={loaderData.planChange} lastResult={actionData?.lastResult} />
  return <ServicePage loaderData={loaderData} actionData={actionData} />
}

type Page = Pick<Route.ComponentProps, "actionData"> & {
  loaderData: Exclude<Route.ComponentProps["loaderData"], { account: unknown } | { planChange: unknown }>
}

function ServicePage({ loaderData, actionData }: Page) {
  const { version, password, orderEmail, ...shown } = loaderData
  const lastResult = actionData?.lastResult
  const passwordForm = password && (
    <PasswordForm
      {...password}
      serviceId={shown.service.id}
      lastResult={lastResult}
      done={shown.done === "password"}
    />
  )
  return (
    <>
      <SuccessScreen
        {...shown}
        lastResult={lastResult}
        failed={actionData?.failed ?? null}
        orderEmail={orderEmail && <OrderEmail shown={orderEmail} lastResult={lastResult} />}
        address={orderEmail?.email ?? null}
        isEmailOpen={orderEmail !== null && (orderEmail.isOpen || orderEmail.isUnreachable)}
        passwordForm={passwordForm}
      />
      {shown.reloads ? (
        <OrderPoller version={version} serviceId={shown.service.id} />
      ) : (
        <AccessCheck serviceId={shown.service.id} />
      )}
    </>
  )
}
