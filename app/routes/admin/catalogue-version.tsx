import { type RouterContextProvider, redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import { catalogueChanges } from "~/domain/catalogue-changes"
import { mayDo, operatorShownTo } from "~/domain/operator"
import { newFormKey } from "~/flows/admin/form-key.server"
import { type CatalogueForm, changeCatalogue } from "~/flows/admin/manage-catalogue.server"
import { isProven } from "~/flows/admin/run-operator-action.server"
import { formOf } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { CatalogueVersionScreen } from "~/ui/admin/catalogue-version-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import type { Route } from "./+types/catalogue-version"
import { noticeOf } from "./action-notice.server"
import { catalogueFormIn, catalogueProblemText } from "./catalogue-form.server"

type Context = Readonly<RouterContextProvider>

const PATH = "/admin/catalogue"

/** A version: who has made it and why, what it has changed, and what taking it back would change. */
export async function loader({ context, params }: Route.LoaderArgs) {
  return versionPage(context, params.number, { notice: null, typed: null })
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const { catalogue, version, present } = await versionOf(context, params.number)
  const form = catalogueFormIn(await formOf(request))
  const { number } = version
  const outcome = await changeCatalogue(services, actor, {
    catalogue,
    present,
    form,
    subject: `catalogue version ${number}`,
    to: { version: number },
  })
  if (outcome.kind === "done") return redirect(`${PATH}/versions/${outcome.value.version}`, 303)
  if (outcome.kind === "repeated") return redirect(PATH, 303)
  const notice: ActionNotice | null =
    outcome.kind === "problem"
      ? { kind: "bad", text: catalogueProblemText(outcome.problem, []) }
      : noticeOf(outcome)
  return versionPage(context, params.number, { notice, typed: form })
}

/** Throws 404 for an unknown version, and with external billing. */
async function versionOf(context: Context, typed: string) {
  const { catalogue } = consoleRequest(context).services.console
  const number = /^[1-9]\d{0,8}$/.test(typed) ? Number(typed) : 0
  const version = (await catalogue?.version(number)) ?? null
  if (!catalogue || !version) throw new Response(null, { status: 404 })
  const [present, former] = await Promise.all([catalogue.present(), catalogue.version(number - 1)])
  return { catalogue, version, present, former }
}

type Shown = { readonly notice: ActionNotice | null; readonly typed: CatalogueForm | null }

async function versionPage(context: Context, number: string, { notice, typed }: Shown): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { version, present, former } = await versionOf(context, number)
  const { author } = version
  return consolePage(
    context,
    {
      title: t("catalogue.versionTitle", { number: version.number }),
      path: PATH,
      status: notice?.kind === "bad" ? 422 : 200,
    },
    <CatalogueVersionScreen
      version={{ ...version, author: author === null ? null : operatorShownTo(session.role, author) }}
      changes={former && catalogueChanges(former.products, version.products)}
      undoing={catalogueChanges(present.products, version.products)}
      mayTakeBack={mayDo(session.role, "take-back-catalogue")}
      seen={String(present.latest)}
      formKey={newFormKey(services, session)}
      proof={{ isProven: isProven(session, services.now()), problem: notice?.proof ?? null }}
      notice={notice}
      refused={typed}
      timeZone={services.shop.timeZone}
    />,
  )
}
