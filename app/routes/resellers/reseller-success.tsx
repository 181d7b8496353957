import { data, redirect, type ShouldRevalidateFunctionArgs } from "react-router"
import { localeContext } from "~/context/locale.server"
import { selectedLinesContext } from "~/context/selected-lines.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { BASE } from "~/domain/base-path"
import type { Order } from "~/domain/orders/order"
import { accountPath, pathOf, statementPath } from "~/domain/orders/screen-paths"
import { buyerTimeline, creditedInstead } from "~/domain/orders/timeline"
import { isStopped, type Service, withoutReason } from "~/domain/services/service"
import { refundOfOrder } from "~/flows/payments/refund-of-order.server"
import { type ResellerAccess, showReseller } from "~/flows/resellers/show-reseller.server"
import { formOf } from "~/http/form.server"
import { retryAfter } from "~/http/retry-after.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { noStore } from "~/middleware/cache-control.server"
import { resellerSuccess } from "~/middleware/orders/reseller-success.server"
import type { PageHandle } from "~/ssr/document"
import { ResellerSuccessScreen } from "~/ui/resellers/reseller-success-screen"
import { PasswordForm } from "~/ui/success/password-form"
import { AccessCheck } from "~/ui/waiting/access-check"
import { OrderPoller } from "~/ui/waiting/order-poller"
import { handlePasswordAction } from "../account/password-action.server"
import { passwordView } from "../account/password-view.server"
import { signInAgain } from "../account/sign-in-again.server"
import { cancelledText } from "../order/cancelled-order.server"
import { unpaidView } from "../order/unpaid-view.server"
import { noReloads, pageReloads } from "../page-reloads.server"
import { type Writing, writingOf } from "../page-writing.server"
import { screenHref } from "../screen-href.server"
import { servicesListed } from "../services/service-list.server"
import type { Route } from "./+types/reseller-success"
import { handleLineAction, handleLineCancellation, handleLineExtension } from "./line-action.server"
import { lineMessageView } from "./line-message.server"
import { lineListView } from "./line-view.server"

export const middleware: Route.MiddlewareFunction[] = [noStore, resellerSuccess]
export const handle = { title: "title.resellerSuccess", public: false } satisfies PageHandle

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders

/** Another tab may have used the credit, or changed the line, of a form that is refused: React Router does not load again after a 4xx. */
export const shouldRevalidate = ({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  defaultShouldRevalidate || Boolean(actionResult)

export async function loader({ url, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  const access = await showReseller(services, session)
  if (!access) throw redirect(screenHref(context, pathOf.reseller.checkout))
  const { unsettled } = access
  return {
    ...access,
    unpaid: unpaidView(context, access.unpaid),
    service: withoutReason(access.service),
    order: await orderShown(context, access),
    timeline: buyerTimeline(access.timeline),
    services: servicesListed(context, access.services, {}),
    lines: await lineListView(context, url, access),
    message: lineMessageView(context, url, access.lines),
    statement: statementView(context),
    stopped: stoppedText(context, access.service),
    cancelled: await cancelledText(context, url.searchParams),
    made: url.searchParams.get("done") === "line",
    passwordChosen: url.searchParams.get("done") === "password",
    password: passwordView(context, access.service),
    timeZone: services.shop.timeZone,
    ...(unsettled ? pageReloads(context, url, access.timeline.at(-1)?.at ?? 0) : noReloads),
  }
}

export async function action(args: Route.ActionArgs) {
  const form = await formOf(args.request)
  args.context.set(selectedLinesContext, form.getAll("line").map(String))
  if (form.has("extend")) return handleLineExtension(withOneLine(form), args)
  if (form.has("cancel")) return handleLineCancellation(form, args)
  if (form.get("intent") === "extend-lines") return handleLineExtension(form, args)
  if (form.get("intent") === "sign-in-again")
    return signInAgain(args.context, `${screenHref(args.context, pathOf.reseller.success)}?signin`)
  if (form.get("intent") !== "password") return handleLineAction(form, args)
  const refusal = await handlePasswordAction(form, args.context)
  if (refusal) {
    const { lastResult, status, wait } = refusal
    return data({ lastResult, refusal: null }, { status, headers: retryAfter(wait) })
  }
  throw redirect(`${screenHref(args.context, pathOf.reseller.success)}?done=password`, 303)
}

/** A line's own button extends that line, whichever others are selected. */
function withOneLine(form: FormData): FormData {
  form.set("line", String(form.get("extend")))
  return form
}

/** What is said of the paid order. One that was refunded as a whole, or became account credit, has paid for nothing. */
async function orderShown(context: Route.LoaderArgs["context"], access: ResellerAccess) {
  const { order, services: shown, lines } = access
  if (!order) return null
  const writing = writingOf(context)
  const unspent = await unspentText(context, { ...access, order })
  if (unspent !== null) return { text: unspent, isPaid: false, opensAccount: false, done: null }
  return {
    text: paidText(order, writing),
    isPaid: true,
    opensAccount: lines.length === 0 && opensAccount(order, shown),
    done: order.kind === "reseller-credits" ? writing.t("lines.creditsAdded") : null,
  }
}

type PaidAccess = Pick<ResellerAccess, "timeline"> & { readonly order: Order }

/** Where the money is of an order that has paid for nothing; null: it has. */
async function unspentText(
  context: Route.LoaderArgs["context"],
  { order, timeline }: PaidAccess,
): Promise<string | null> {
  const { t, money } = writingOf(context)
  const { id, total } = order
  const refunded = await refundOfOrder(context.get(servicesContext), {
    order,
    timeline: async () => timeline,
  })
  if (refunded && refunded.minor >= total.minor)
    return t("lines.orderRefunded", { amount: money(refunded), order: id })
  const credited = order.kind === "reseller-credits" && creditedInstead(timeline)
  return credited ? t("lines.orderCredited", { amount: money(credited), order: id }) : null
}

/** Further credits have the account's plan beside them, which may be another one. */
function paidText({ id, kind, total, credits }: Order, { t, money }: Writing): string {
  const paid = { amount: money(total), order: id }
  if (kind !== "reseller-credits" || credits === undefined) return t("lines.orderPaid", paid)
  return t("lines.creditsPaid", { ...paid, count: credits })
}

/** Connections, and a plan that brings more credits, are for an account that is open already, and so is what follows the first line. */
function opensAccount({ kind }: Order, services: readonly Service[]): boolean {
  return kind === "reseller" && services.filter((service) => service.kind === "reseller").length === 1
}

function statementView(context: Route.LoaderArgs["context"]) {
  const t = screenTexts(context.get(localeContext).code)
  const href = `${BASE}${screenHref(context, statementPath)}`
  const payments = { text: t("payments.heading"), path: `${screenHref(context, accountPath)}#receipt` }
  return { history: t("statement.history"), download: t("statement.download"), href, payments }
}

function stoppedText(context: Route.LoaderArgs["context"], service: Service): string | null {
  const { shop } = context.get(servicesContext)
  if (!isStopped(service) || shop.links.support === null) return null
  return screenTexts(context.get(localeContext).code)("lines.stopped")
}

export default function ResellerSuccess({ loaderData, actionData }: Route.ComponentProps) {
  const { version, password, passwordChosen, ...shown } = loaderData
  const lastResult = actionData?.lastResult
  const passwordForm = password && (
    <PasswordForm {...password} serviceId={shown.service.id} lastResult={lastResult} done={passwordChosen} />
  )
  return (
    <>
      <ResellerSuccessScreen
        {...shown}
        lastResult={lastResult}
        refusal={actionData?.refusal ?? null}
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
