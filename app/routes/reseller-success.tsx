import { data, redirect } from "react-router"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { pathOf } from "~/domain/screen-paths"
import { withoutReason } from "~/domain/service"
import { withoutReferences } from "~/domain/timeline"
import { mayChoosePassword } from "~/flows/customers/set-password.server"
import { showReseller } from "~/flows/resellers/show-reseller.server"
import { formOf } from "~/http/form.server"
import { retryAfter } from "~/http/retry-after.server"
import { noStore } from "~/middleware/cache-control.server"
import { resellerSuccess } from "~/middleware/reseller-success.server"
import type { PageHandle } from "~/ssr/document"
import { ResellerSuccessScreen } from "~/ui/resellers/reseller-success-screen"
import { PasswordForm } from "~/ui/success/password-form"
import { OrderPoller } from "~/ui/waiting/order-poller"
import type { Route } from "./+types/reseller-success"
import { handleLineAction, handleLineCancellation, handleLineExtension } from "./line-action.server"
import { lineListView } from "./line-view.server"
import { handlePasswordAction } from "./password-action.server"
import { screenHref } from "./screen-href.server"

export const middleware: Route.MiddlewareFunction[] = [noStore, resellerSuccess]
export const handle = { title: "title.resellerSuccess", public: false } satisfies PageHandle

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders

const REFRESH_SECONDS = 3

export async function loader({ url, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  const access = await showReseller(services, session)
  if (!access) throw redirect(screenHref(context, pathOf.reseller.checkout))
  const { order, unsettled } = access
  return {
    ...access,
    service: withoutReason(access.service),
    order: order && { id: order.id, total: order.total },
    timeline: withoutReferences(access.timeline),
    services: access.services.map(({ id, name, username, status, paidUntil }) => ({
      id,
      name,
      username,
      status,
      paidUntil,
    })),
    lines: lineListView(context, url, access.lines),
    made: url.searchParams.get("done") === "line",
    passwordChosen: url.searchParams.get("done") === "password",
    mayChoosePassword:
      session.customer?.id === access.service.customerId && mayChoosePassword(services, session.customer),
    timeZone: services.shop.timeZone,
    refreshSeconds: unsettled ? REFRESH_SECONDS : null,
  }
}

export async function action(args: Route.ActionArgs) {
  const form = await formOf(args.request)
  if (form.has("cancel")) return handleLineCancellation(form, args)
  if (form.get("intent") === "extend-lines") return handleLineExtension(form, args)
  if (form.get("intent") !== "password") return handleLineAction(form, args)
  const refusal = await handlePasswordAction(form, args.context)
  if (refusal) {
    const { lastResult, status, wait } = refusal
    return data({ lastResult, refusal: null }, { status, headers: retryAfter(wait) })
  }
  throw redirect(`${screenHref(args.context, pathOf.reseller.success)}?done=password`, 303)
}

export default function ResellerSuccess({ loaderData, actionData }: Route.ComponentProps) {
  const { version, refreshSeconds, mayChoosePassword: mayChoose, passwordChosen, ...shown } = loaderData
  const lastResult = actionData?.lastResult
  return (
    <>
      <ResellerSuccessScreen {...shown} lastResult={lastResult} refusal={actionData?.refusal ?? null} />
      {mayChoose && (
        <div className="narrow">
          <PasswordForm serviceId={shown.service.id} lastResult={lastResult} done={passwordChosen} />
        </div>
      )}
      {refreshSeconds !== null && <OrderPoller version={version} serviceId={shown.service.id} />}
    </>
  )
}
