import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import type { ShownShopFile } from "~/domain/console/shown-setting"
import { mayDo } from "~/domain/operators/operator"
import { brandSections } from "~/domain/shop/shop-sections"
import { newFormKey } from "~/flows/admin/form-key.server"
import { presentBrand } from "~/flows/admin/manage-brand.server"
import { countSecrets, reEncryptByForm } from "~/flows/admin/shop/re-encrypt-secrets.server"
import { formOf } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { SettingsScreen } from "~/ui/admin/shop/settings-screen.server"
import { actionFormIn } from "../action-form.server"
import { noticeOf, proofAsked, sentBefore } from "../action-notice.server"
import type { Route } from "./+types/settings"

const PATH = "/admin/settings"

/** Every setting with its source; the values for owners alone. */
export function loader({ context, url: { searchParams } }: Route.LoaderArgs) {
  if (!searchParams.has("re-encrypted")) return settingsPage(context, null, null)
  const count = Number(searchParams.get("re-encrypted")) || 0
  return settingsPage(context, { kind: "good", text: t("settings.secrets.done", { count }) }, null)
}

/** Encrypts stored secrets anew, after `OPERATOR_SECRETS` has got another first one. */
export async function action({ request, context }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const form = actionFormIn(await formOf(request))
  const outcome = await reEncryptByForm(services, actor, form)
  if (outcome.kind === "repeated") return sentBefore(PATH)
  if (outcome.kind === "done") return redirect(`${PATH}?re-encrypted=${outcome.value}`, 303)
  return settingsPage(context, noticeOf(outcome), form)
}

/** `refused`: the form that was refused. */
async function settingsPage(
  context: RouteContext,
  notice: ActionNotice | null,
  refused: { readonly reason: string } | null,
): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const isOwner = session.role === "owner"
  const settings = services.console.settings()
  const shopFile = services.console.shopFile()
  const tax = await services.console.tax?.present()
  const { latest: version, content } = await presentBrand(services.console.brand.versions)
  return consolePage(
    context,
    { title: t("settings.title"), path: PATH, notice },
    <SettingsScreen
      settings={isOwner ? settings : settings.map((it) => ({ ...it, value: null }))}
      shopFile={isOwner ? shopFile : withoutValues(shopFile)}
      isOwner={isOwner}
      notice={notice}
      secrets={{
        counts: await countSecrets(services.console),
        formKey: mayDo(session.role, "re-encrypt-secrets") ? newFormKey(services, session) : null,
        proof: proofAsked(context, notice),
        refused,
      }}
      tax={tax?.source ?? null}
      brand={brandSections.map((name) => ({ name, version: content[name] === undefined ? null : version }))}
    />,
  )
}

/** Where each value comes from, and which of them a restart would change. */
function withoutValues({ values, problem }: ShownShopFile): ShownShopFile {
  return {
    values: values.map(({ next, ...it }) => ({
      ...it,
      value: null,
      ...(next !== undefined && { next: null }),
    })),
    problem: problem === null ? null : t("settings.shopFileProblem"),
  }
}
