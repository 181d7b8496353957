import { redirect } from "react-router"
import type { ResellerDetails } from "~/billing/reseller-admin"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { endOfDay, startOfDay } from "~/domain/local-time"
import { emailShownTo, mayDo } from "~/domain/operators/operator"
import { newFormKey } from "~/flows/admin/form-key.server"
import { timedPlaceIn, timedPlaceText } from "~/flows/admin/keyset-pages.server"
import {
  actOnReseller,
  isResellerAction,
  type ResellerForm,
  resellerActions,
  type Span,
  seenOfReseller,
} from "~/flows/admin/manage-resellers.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { consoleHref } from "~/ui/admin/console-frame.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { ResellerScreen, type TypedResellerForm } from "~/ui/admin/resellers/reseller-screen.server"
import { changeFormIn } from "../action-form.server"
import { problemNotice, proofAsked, sentBefore } from "../action-notice.server"
import { csvResponse } from "../csv-response.server"
import { doneNotice, doneQuery } from "../done-notice.server"
import type { Route } from "./+types/reseller"

const PATH = "/admin/resellers"
const PER_PAGE = 25

/** A reseller: credits, the ledger with reasons, and the lines with the names of their customers. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const reseller = await resellerOf(context, params.id)
  const notice = doneNotice(url.searchParams, reseller.email ?? reseller.id)
  return resellerPage(context, reseller, { url, notice, typed: null })
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const reseller = await resellerOf(context, params.id)
  const data = await formOf(request)
  const form = formIn(data, services.shop.timeZone)
  const address = `${PATH}/${encodeURIComponent(reseller.id)}`
  if (!form) return redirect(address, 303)
  const outcome = await actOnReseller(services, actor, { reseller, form })
  if (outcome.kind === "repeated") return sentBefore(address)
  if (outcome.kind === "done") {
    const { value } = outcome
    return value.kind === "exported"
      ? csvResponse("credits.csv", value.file)
      : redirect(`${address}?${doneQuery("grant-reseller-credits", { count: Number(form.credits) })}`, 303)
  }
  const notice = problemNotice(outcome, (it) => t(`resellers.problems.${it}`))
  const typed = { ...form, from: textIn(data, "from"), to: textIn(data, "to") }
  return resellerPage(context, reseller, { url, notice, typed })
}

/** Throws 404 for a customer without a reseller plan. */
async function resellerOf(context: RouteContext, id: string): Promise<ResellerDetails> {
  const reseller = await consoleRequest(context).services.console.resellers.reseller(id)
  if (!reseller) throw new Response(null, { status: 404 })
  return reseller
}

/** Null for a form that no page of ours has. */
function formIn(form: FormData, timeZone: string): ResellerForm | null {
  const action = textIn(form, "action")
  if (!isResellerAction(action)) return null
  return {
    action,
    credits: textIn(form, "credits"),
    span: spanIn(form, timeZone),
    ...changeFormIn(form),
  }
}

function spanIn(form: FormData, timeZone: string): Span {
  return {
    from: startOfDay(textIn(form, "from"), timeZone),
    until: endOfDay(textIn(form, "to"), timeZone),
  }
}

type Shown = {
  readonly url: URL
  readonly notice: ActionNotice | null
  readonly typed: TypedResellerForm | null
}

async function resellerPage(
  context: RouteContext,
  reseller: ResellerDetails,
  { url: { searchParams }, notice, typed }: Shown,
): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { resellers } = services.console
  const placeOf = (name: string) => timedPlaceIn(searchParams.get(name) ?? "") ?? undefined
  const [entries, lines] = await Promise.all([
    resellers.resellerEntries(reseller.id, { beyond: placeOf("entries"), limit: PER_PAGE + 1 }),
    resellers.resellerLines(reseller.id, { beyond: placeOf("lines"), limit: PER_PAGE + 1 }),
  ])
  const address = `${PATH}/${encodeURIComponent(reseller.id)}`
  const lastEntry = entries.length > PER_PAGE ? entries[PER_PAGE - 1] : undefined
  const lastLine = lines.length > PER_PAGE ? lines[PER_PAGE - 1] : undefined
  return consolePage(
    context,
    { title: t("resellers.reseller"), path: PATH, notice },
    <ResellerScreen
      seen={seenOfReseller(reseller)}
      reseller={{ ...reseller, email: emailShownTo(session.role, reseller.email) }}
      entries={entries.slice(0, PER_PAGE)}
      lines={lines.slice(0, PER_PAGE)}
      links={{
        entries: lastEntry ? consoleHref(`${address}?entries=${timedPlaceText(lastEntry)}`) : null,
        lines: lastLine
          ? consoleHref(`${address}?lines=${timedPlaceText({ at: lastLine.createdAt, id: lastLine.id })}`)
          : null,
        newest: searchParams.has("entries") || searchParams.has("lines") ? consoleHref(address) : null,
      }}
      actions={resellerActions.filter((it) => mayDo(session.role, it))}
      newKey={() => newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      typed={typed}
      timeZone={services.shop.timeZone}
    />,
  )
}
