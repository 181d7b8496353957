import { redirect } from "react-router"
import { type CodeState, codeStates, type PromotionDetails } from "~/billing/catalogue/promotion-admin"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { mayDo } from "~/domain/operators/operator"
import {
  actOnCodes,
  type CodeForm,
  codeActions,
  isCodeAction,
} from "~/flows/admin/catalogue/promotion-codes.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { PromotionCodesScreen } from "~/ui/admin/catalogue/promotion-codes-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { actionFormIn } from "../action-form.server"
import { problemNotice, proofAsked, sentBefore } from "../action-notice.server"
import { csvResponse } from "../csv-response.server"
import type { Route } from "./+types/promotion-codes"
import { promotionIfAny, promotionOf } from "./promotion-form.server"

const PER_PAGE = 50

/** The one-time codes of a promotion, and what may be done with them. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { promotion } = await promotionOf(context, params.code)
  return codesPage(context, promotion, { url, notice: goodNotice(url), typed: null })
}

function goodNotice({ searchParams }: URL): ActionNotice | null {
  for (const kind of ["generated", "withdrawn"] as const) {
    const codes = searchParams.get(kind)
    // Anyone may write a link: the notice says numbers only.
    if (codes !== null && /^\d{1,9}$/.test(codes))
      return { kind: "good", text: t(`promotionCodes.${kind}Done`, { codes }) }
  }
  return null
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const { promotions, promotion } = await promotionIfAny(context, params.code)
  if (!promotion) return redirect("/admin/promotions?gone", 303)
  const form = formIn(await formOf(request))
  const address = `/admin/promotions/${encodeURIComponent(promotion.code)}/codes`
  if (!form) return redirect(address, 303)
  const outcome = await actOnCodes(services, actor, { promotions, promotion, form })
  if (outcome.kind === "repeated") return sentBefore(address)
  if (outcome.kind === "done") {
    const { value } = outcome
    if (value.kind === "exported") return csvResponse("codes.csv", value.file)
    return redirect(`${address}?${value.kind}=${value.codes}`, 303)
  }
  const notice = problemNotice(outcome, (it) => t(`promotionCodes.problems.${it}`))
  return codesPage(context, promotion, { url, notice, typed: form })
}

/** Null for a form that no page of ours has. */
function formIn(form: FormData): CodeForm | null {
  const action = textIn(form, "action")
  if (!isCodeAction(action)) return null
  return {
    action,
    typed: { count: textIn(form, "count"), prefix: textIn(form, "prefix") },
    beginning: textIn(form, "beginning"),
    ...actionFormIn(form),
  }
}

type Shown = {
  readonly url: URL
  readonly notice: ActionNotice | null
  readonly typed: CodeForm | null
}

async function codesPage(
  context: RouteContext,
  promotion: PromotionDetails,
  { url: { searchParams }, notice, typed }: Shown,
): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { promotions } = await promotionOf(context, promotion.code)
  const filter = { state: stateIn(searchParams.get("state")), beginning: searchParams.get("beginning") ?? "" }
  const after = searchParams.get("after") ?? undefined
  const [found, counts] = await Promise.all([
    promotions.codes(promotion.code, { ...filter, after, limit: PER_PAGE + 1 }),
    promotions.codeCounts(promotion.code),
  ])
  const listed = found.slice(0, PER_PAGE)
  return consolePage(
    context,
    {
      title: t("promotionCodes.title", { code: promotion.code }),
      path: "/admin/promotions",
      notice,
    },
    <PromotionCodesScreen
      code={promotion.code}
      codes={listed}
      counts={counts}
      filter={filter}
      next={found.length > PER_PAGE ? (listed.at(-1)?.code ?? null) : null}
      isPaged={after !== undefined}
      actions={codeActions.filter((it) => mayDo(session.role, it))}
      newKey={() => newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      typed={typed}
      timeZone={services.shop.timeZone}
    />,
  )
}

function stateIn(text: string | null): CodeState | undefined {
  return codeStates.find((it) => it === text)
}
