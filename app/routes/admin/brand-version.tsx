import { type RouterContextProvider, redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import { mayDo, operatorShownTo } from "~/domain/operator"
import { brandChanges } from "~/domain/shop/brand-changes"
import { savedBrand } from "~/domain/shop/shop-sections"
import { newFormKey } from "~/flows/admin/form-key.server"
import { type BrandForm, brandOfVersion, changeBrand, presentBrand } from "~/flows/admin/manage-brand.server"
import { isProven } from "~/flows/admin/run-operator-action.server"
import { formOf } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { BrandVersionScreen } from "~/ui/admin/brand-version-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import type { Route } from "./+types/brand-version"
import { noticeOf } from "./action-notice.server"
import { brandFormIn, brandProblemText } from "./brand-form.server"

type Context = Readonly<RouterContextProvider>

const PATH = "/admin/brand"

/** A version: who has made it and why, how it differs from another one, and what taking it back would change. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const compared = url.searchParams.get("with")
  return versionPage(context, params.number, { notice: null, typed: null, compared })
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const { number } = await versionOf(context, params.number)
  const form = brandFormIn(await formOf(request))
  const outcome = await changeBrand(services, actor, {
    present: await presentBrand(services.console.brand.versions),
    form,
    subject: `brand version ${number}`,
    target: { how: "take-back", version: number },
  })
  if (outcome.kind === "done") return redirect(`${PATH}/versions/${outcome.value.version}`, 303)
  if (outcome.kind === "repeated") return redirect(PATH, 303)
  const notice: ActionNotice | null =
    outcome.kind === "problem" ? { kind: "bad", text: brandProblemText(outcome.problem) } : noticeOf(outcome)
  return versionPage(context, params.number, { notice, typed: form, compared: null })
}

/** Throws 404 for an unknown version. */
async function versionOf(context: Context, typed: string) {
  const { versions } = consoleRequest(context).services.console.brand
  const version = isNumber(typed) ? await versions.version(Number(typed)) : null
  if (!version) throw new Response(null, { status: 404 })
  return version
}

const isNumber = (typed: string) => /^[1-9]\d{0,8}$/.test(typed)

type Shown = {
  readonly notice: ActionNotice | null
  readonly typed: BrandForm | null
  /** The version to compare with, as it was typed; 0: the shop file. Null: the one before. */
  readonly compared: string | null
}

async function versionPage(
  context: Context,
  number: string,
  { notice, typed, compared }: Shown,
): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { versions } = services.console.brand
  const version = await versionOf(context, number)
  const content = savedBrand(version.content)
  const present = await presentBrand(versions)
  const wanted = compared !== null && (compared === "0" || isNumber(compared)) ? Number(compared) : null
  const other = wanted ?? version.number - 1
  const former = await brandOfVersion(versions, other)
  const unknown: ActionNotice = { kind: "bad", text: t("brand.problems.unknown-version") }
  const shown = former ? notice : unknown
  return consolePage(
    context,
    {
      title: t("brand.versionTitle", { number: version.number }),
      path: PATH,
      status: shown?.kind === "bad" ? 422 : 200,
    },
    <BrandVersionScreen
      version={{ ...version, author: operatorShownTo(session.role, version.author) }}
      compared={other}
      changes={brandChanges(former ?? content, content)}
      undoing={brandChanges(present.content, content)}
      mayTakeBack={mayDo(session.role, "take-back-brand")}
      seen={String(present.version)}
      formKey={newFormKey(services, session)}
      proof={{ isProven: isProven(session, services.now()), problem: notice?.proof ?? null }}
      notice={shown}
      refused={typed}
      timeZone={services.shop.timeZone}
    />,
  )
}
