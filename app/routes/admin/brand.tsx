import { type RouterContextProvider, redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import { mayDo, operatorShownTo } from "~/domain/operator"
import { brandChanges } from "~/domain/shop/brand-changes"
import { newFormKey } from "~/flows/admin/form-key.server"
import { type BrandForm, changeBrand, presentBrand } from "~/flows/admin/manage-brand.server"
import { isProven } from "~/flows/admin/run-operator-action.server"
import { formOf } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { BrandScreen } from "~/ui/admin/brand-screen.server"
import { consoleHref } from "~/ui/admin/console-frame.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import type { Route } from "./+types/brand"
import { noticeOf } from "./action-notice.server"
import { brandFormIn, brandProblemText } from "./brand-form.server"

type Context = Readonly<RouterContextProvider>

const PATH = "/admin/brand"
const PER_PAGE = 20

/** Where brand and texts come from, the forms that change them, and the versions. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const notice: ActionNotice | null = url.searchParams.has("done")
    ? { kind: "good", text: t("action.done") }
    : null
  const typed = Number(url.searchParams.get("before") ?? Number.NaN)
  return brandPage(context, {
    before: Number.isSafeInteger(typed) ? typed : undefined,
    notice,
    typed: null,
  })
}

/** Goes back to the shop file. */
export async function action({ request, context }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const form = brandFormIn(await formOf(request))
  const present = await presentBrand(services.console.brand.versions)
  const outcome = await changeBrand(services, actor, {
    present,
    form,
    subject: "brand",
    target: { how: "reset" },
  })
  if (outcome.kind === "done" || outcome.kind === "repeated") return redirect(`${PATH}?done`, 303)
  const notice: ActionNotice | null =
    outcome.kind === "problem" ? { kind: "bad", text: brandProblemText(outcome.problem) } : noticeOf(outcome)
  return brandPage(context, { before: undefined, notice, typed: form })
}

type Shown = {
  readonly before: number | undefined
  readonly notice: ActionNotice | null
  readonly typed: BrandForm | null
}

async function brandPage(context: Context, { before, notice, typed }: Shown): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { versions } = services.console.brand
  const [{ version, content }, found] = await Promise.all([
    presentBrand(versions),
    versions.versions({ before, limit: PER_PAGE + 1 }),
  ])
  const listed = found.slice(0, PER_PAGE)
  const last = found.length > PER_PAGE ? listed.at(-1) : undefined
  return consolePage(
    context,
    { title: t("brand.title"), path: PATH, status: notice?.kind === "bad" ? 422 : 200 },
    <BrandScreen
      version={version}
      content={content}
      resetting={brandChanges(content, {})}
      versions={listed.map((it) => ({ ...it, author: operatorShownTo(session.role, it.author) }))}
      links={{
        older: last ? consoleHref(`${PATH}?before=${last.number}`) : null,
        newer: null,
        newest: before === undefined ? null : consoleHref(PATH),
      }}
      mayReset={mayDo(session.role, "reset-brand")}
      formKey={newFormKey(services, session)}
      proof={{ isProven: isProven(session, services.now()), problem: notice?.proof ?? null }}
      notice={notice}
      refused={typed}
      timeZone={services.shop.timeZone}
    />,
  )
}
