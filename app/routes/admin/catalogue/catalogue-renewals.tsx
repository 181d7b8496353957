import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { mayDo } from "~/domain/operators/operator"
import { placeOf } from "~/flows/admin/catalogue/manage-catalogue.server"
import {
  announcePrices,
  type CountedMove,
  countPrices,
  groupNames,
  seenOfRuns,
  shownRuns,
  type TypedPriceMove,
  takeBackPrices,
} from "~/flows/admin/catalogue/move-prices.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import {
  CatalogueRenewalsScreen,
  type RefusedReturn,
} from "~/ui/admin/catalogue/catalogue-renewals-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { changeFormIn } from "../action-form.server"
import { problemNotice, proofAsked, sentBefore } from "../action-notice.server"
import { doneNotice, doneQuery } from "../done-notice.server"
import type { Route } from "./+types/catalogue-renewals"
import { presentCatalogue } from "./catalogue-form.server"

const addressOf = (pid: string) => `/admin/catalogue/products/${encodeURIComponent(pid)}/renewals`

/** What the renewals of a plan cost from a day on: what is announced, and how many services another price would be for. */
export async function loader({ context, params: { pid }, url: { searchParams: query } }: Route.LoaderArgs) {
  const { services } = consoleRequest(context)
  const notice = doneNotice(query)
  if (!query.has("price")) return renewalsPage(context, pid, { notice })
  const typed = moveIn((name) => query.get(name) ?? "")
  const counted = await countPrices(services, pid, typed)
  if (counted.kind === "counted") return renewalsPage(context, pid, { notice, typed, count: counted.count })
  return renewalsPage(context, pid, { notice: noticeOf(counted), typed, status: 200 })
}

export async function action({ request, context, params: { pid } }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const form = await formOf(request)
  const asked = { productId: pid, ...changeFormIn(form) }
  if (!(await planOf(context, pid))) return redirect("/admin/catalogue?gone", 303)
  if (textIn(form, "action") === "keep-price") return takenBack(context, pid, form)
  const address = addressOf(pid)
  const typed = moveIn((name) => textIn(form, name))
  const outcome = await announcePrices(services, actor, { ...asked, typed })
  if (outcome.kind === "repeated") return sentBefore(address)
  if (outcome.kind === "done") return redirect(`${address}?${doneQuery("move-prices")}`, 303)
  const counted = await countPrices(services, pid, typed)
  const count = counted.kind === "counted" ? counted.count : null
  return renewalsPage(context, pid, { notice: noticeOf(outcome), typed, count, reason: asked.reason })
}

async function takenBack(context: RouteContext, pid: string, form: FormData): Promise<Response> {
  const { services, actor } = consoleRequest(context)
  const asked = { productId: pid, ...changeFormIn(form) }
  const address = addressOf(pid)
  const [group, from] = [textIn(form, "group"), Number(textIn(form, "from"))]
  const outcome = await takeBackPrices(services, actor, { ...asked, group, from })
  if (outcome.kind === "repeated") return sentBefore(address)
  if (outcome.kind === "done") return redirect(`${address}?${doneQuery("keep-prices")}`, 303)
  const refusedReturn = { group, from, reason: asked.reason }
  return renewalsPage(context, pid, { notice: noticeOf(outcome), refusedReturn })
}

type Problem = Exclude<Awaited<ReturnType<typeof announcePrices>>, { kind: "done" | "repeated" }>

function noticeOf(outcome: Problem): ActionNotice | null {
  return problemNotice(outcome, (it) => t(`catalogue.renewals.problems.${it}`))
}

function moveIn(field: (name: string) => string): TypedPriceMove {
  return { group: field("group"), price: field("price").trim(), from: field("from").trim() }
}

type Shown = {
  readonly notice: ActionNotice | null
  /** The price that is to be announced, as it was typed. */
  readonly typed?: TypedPriceMove
  /** How many services it would be for; absent: it was not counted. */
  readonly count?: CountedMove | null
  /** Of the form that was refused. */
  readonly reason?: string
  /** The form that takes a price back, if it was refused. */
  readonly refusedReturn?: RefusedReturn
  readonly status?: number
}

/** Undefined for what is no plan. Throws 404 with external billing. */
async function planOf(context: RouteContext, pid: string) {
  const { present } = await presentCatalogue(context)
  const place = placeOf(present.content, pid)
  return place?.list === "plans" ? present.content.plans[place.index] : undefined
}

/** Throws 404 for what is no plan, and with external billing. */
async function renewalsPage(context: RouteContext, pid: string, shown: Shown): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const product = await planOf(context, pid)
  if (!product) throw new Response(null, { status: 404 })
  const groups = await services.console.services.renewalGroups(pid, services.now())
  const runs = await shownRuns(services, pid, session.role)
  const { notice, typed, count = null, reason, refusedReturn = null, status } = shown
  return consolePage(
    context,
    {
      title: t("catalogue.renewals.title", { product: product.name }),
      path: "/admin/catalogue",
      notice,
      status,
    },
    <CatalogueRenewalsScreen
      product={{ id: pid, name: product.name }}
      groups={groups}
      runs={runs}
      seen={seenOfRuns(runs)}
      names={groupNames(groups)}
      isRenewed={product.renewal_price !== "none"}
      mayMove={mayDo(session.role, "move-price")}
      mayKeep={mayDo(session.role, "keep-price")}
      typed={typed ?? null}
      count={count}
      reason={reason ?? null}
      refusedReturn={refusedReturn}
      proof={proofAsked(context, notice)}
      newKey={() => newFormKey(services, session)}
      notice={notice}
      timeZone={services.shop.timeZone}
    />,
  )
}
