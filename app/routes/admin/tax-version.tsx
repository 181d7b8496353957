import { type RouterContextProvider, redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import { mayDo, operatorShownTo } from "~/domain/operator"
import { taxChanges } from "~/domain/tax-changes"
import { newFormKey } from "~/flows/admin/form-key.server"
import { changeTax, type TaxForm } from "~/flows/admin/manage-tax.server"
import { isProven } from "~/flows/admin/run-operator-action.server"
import { formOf } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { TaxVersionScreen } from "~/ui/admin/tax-version-screen.server"
import type { Route } from "./+types/tax-version"
import { noticeOf } from "./action-notice.server"
import { taxFormIn, taxProblemText } from "./tax-form.server"

type Context = Readonly<RouterContextProvider>

const PATH = "/admin/tax"

/** A version of the rules: who has made it and why, what it has changed, and what taking it back would change. */
export async function loader({ context, params }: Route.LoaderArgs) {
  return versionPage(context, params.number, { notice: null, refused: null })
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const { tax, version, present } = await versionOf(context, params.number)
  const form = taxFormIn(await formOf(request))
  const step = { action: "take-back-tax", version: version.number } as const
  const outcome = await changeTax(services, actor, { tax, present, form, step })
  if (outcome.kind === "done") return redirect(`${PATH}/versions/${outcome.value.version}`, 303)
  if (outcome.kind === "repeated") return redirect(PATH, 303)
  const notice: ActionNotice | null =
    outcome.kind === "problem" ? { kind: "bad", text: taxProblemText(outcome.problem) } : noticeOf(outcome)
  return versionPage(context, params.number, { notice, refused: form })
}

/** Throws 404 for an unknown version, and with external billing. */
async function versionOf(context: Context, typed: string) {
  const { tax } = consoleRequest(context).services.console
  const number = /^[1-9]\d{0,8}$/.test(typed) ? Number(typed) : 0
  const version = (await tax?.version(number)) ?? null
  if (!tax || !version) throw new Response(null, { status: 404 })
  const [present, former] = await Promise.all([tax.present(), tax.version(number - 1)])
  return { tax, version, present, former }
}

type Shown = { readonly notice: ActionNotice | null; readonly refused: TaxForm | null }

async function versionPage(context: Context, number: string, { notice, refused }: Shown): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { version, present, former } = await versionOf(context, number)
  const { author, content } = version
  const { file } = present
  return consolePage(
    context,
    {
      title: t("catalogue.versionTitle", { number: version.number }),
      path: PATH,
      status: notice?.kind === "bad" ? 422 : 200,
    },
    <TaxVersionScreen
      version={{ ...version, author: author === null ? null : operatorShownTo(session.role, author) }}
      changes={former && taxChanges(former.content ?? file, content ?? file)}
      undoing={taxChanges(present.content, content ?? file)}
      mayTakeBack={mayDo(session.role, "take-back-tax")}
      seen={String(present.latest)}
      formKey={newFormKey(services, session)}
      proof={{ isProven: isProven(session, services.now()), problem: notice?.proof ?? null }}
      notice={notice}
      refused={refused}
      timeZone={services.shop.timeZone}
    />,
  )
}
