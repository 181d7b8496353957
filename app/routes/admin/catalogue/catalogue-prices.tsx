import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { mayDo } from "~/domain/operators/operator"
import {
  priceNameText,
  pricesSold,
  schedulePrice,
  shownSchedules,
  type TypedSchedule,
  unschedulePrice,
} from "~/flows/admin/catalogue/schedule-prices.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { CataloguePricesScreen } from "~/ui/admin/catalogue/catalogue-prices-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { changeFormIn } from "../action-form.server"
import { problemNotice, proofAsked, sentBefore } from "../action-notice.server"
import { doneNotice, doneQuery } from "../done-notice.server"
import type { Route } from "./+types/catalogue-prices"
import { catalogueProblemText, presentCatalogue } from "./catalogue-form.server"

const CATALOGUE = "/admin/catalogue"
const addressOf = (pid: string) => `${CATALOGUE}/products/${encodeURIComponent(pid)}/prices`

/** What new orders of a product cost from an instant on. */
export async function loader({ context, params: { pid }, url: { searchParams: query } }: Route.LoaderArgs) {
  return pricesPage(context, pid, { notice: doneNotice(query) })
}

export async function action({ request, context, params: { pid } }: Route.ActionArgs) {
  const form = await formOf(request)
  const found = await productIfAny(context, pid)
  if (!found) return redirect(`${CATALOGUE}?gone`, 303)
  const isReturn = textIn(form, "action") === "unschedule-price"
  return isReturn ? takenBack(context, form, found) : scheduled(context, form, found)
}

type Found = NonNullable<Awaited<ReturnType<typeof productIfAny>>>

async function scheduled(context: RouteContext, form: FormData, found: Found): Promise<Response> {
  const { services, actor } = consoleRequest(context)
  const sent = { ...found, form: changeFormIn(form) }
  const typed = typedIn(form)
  const outcome = await schedulePrice(services, actor, { ...sent, typed })
  return answered(
    context,
    found,
    { action: "schedule-price", outcome },
    { refused: { ...typed, reason: sent.form.reason } },
  )
}

async function takenBack(context: RouteContext, form: FormData, found: Found): Promise<Response> {
  const { services, actor } = consoleRequest(context)
  const sent = { ...found, form: changeFormIn(form) }
  const [of, from] = [textIn(form, "of"), Number(textIn(form, "from"))]
  const outcome = await unschedulePrice(services, actor, { ...sent, of, from })
  return answered(
    context,
    found,
    { action: "unschedule-price", outcome },
    { refusedReturn: { of, from, reason: sent.form.reason } },
  )
}

type Sent = {
  readonly action: "schedule-price" | "unschedule-price"
  readonly outcome: Awaited<ReturnType<typeof schedulePrice>>
}

function answered(
  context: RouteContext,
  { product: { id }, present: { content } }: Found,
  { action, outcome }: Sent,
  refusal: Pick<Shown, "refused" | "refusedReturn">,
): Promise<Response> | Response {
  const address = addressOf(id)
  if (outcome.kind === "repeated") return sentBefore(address)
  if (outcome.kind === "done") return redirect(`${address}?${doneQuery(action)}`, 303)
  const notice = problemNotice(outcome, (it) => catalogueProblemText(it, { content, at: [] }))
  return pricesPage(context, id, { notice, ...refusal })
}

function typedIn(form: FormData): TypedSchedule {
  return {
    of: textIn(form, "of"),
    price: textIn(form, "price").trim(),
    from: textIn(form, "from").trim(),
  }
}

type Shown = {
  readonly notice: ActionNotice | null
  /** The form that schedules a price, if it was refused. */
  readonly refused?: TypedSchedule & { readonly reason: string }
  /** The form that takes one back, if it was refused. */
  readonly refusedReturn?: { readonly of: string; readonly from: number; readonly reason: string }
}

/** Null for an unknown product. Throws 404 with external billing. */
async function productIfAny(context: RouteContext, pid: string) {
  const { catalogue, present } = await presentCatalogue(context)
  const product = present.products.find(({ id }) => id === pid)
  return product ? { catalogue, present, product } : null
}

/** Throws 404 for an unknown product, and with external billing. */
async function pricesPage(context: RouteContext, pid: string, shown: Shown): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const found = await productIfAny(context, pid)
  if (!found) throw new Response(null, { status: 404 })
  const { product, present } = found
  const { notice, refused = null, refusedReturn = null } = shown
  return consolePage(
    context,
    { title: t("catalogue.scheduled.title", { product: product.name }), path: CATALOGUE, notice },
    <CataloguePricesScreen
      product={product}
      sold={pricesSold(product).map((it) => ({ of: priceNameText(it), text: it.text }))}
      schedules={shownSchedules(product, session.role)}
      mayChange={mayDo(session.role, "schedule-price")}
      seen={String(present.latest)}
      newKey={() => newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      refused={refused}
      refusedReturn={refusedReturn}
      timeZone={services.shop.timeZone}
    />,
  )
}
