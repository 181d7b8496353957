import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { mayDo } from "~/domain/operators/operator"
import { faintColours } from "~/domain/shop/brand-colours"
import {
  type BrandPart,
  brandParts,
  fieldsOfPart,
  type TypedBrand,
  typedBrand,
  withTypedBrand,
} from "~/domain/shop/brand-fields"
import type { BrandContent } from "~/domain/shop/shop-sections"
import { newFormKey } from "~/flows/admin/form-key.server"
import type { VersionProblem } from "~/flows/admin/make-version.server"
import { changeBrand, keepBrandDraft, presentBrand } from "~/flows/admin/manage-brand.server"
import { formOf, textIn } from "~/http/form.server"
import { consolePage } from "~/ssr/console-page.server"
import { BrandPartScreen, brandPartTitle } from "~/ui/admin/brand/brand-part-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { changeFormIn } from "../action-form.server"
import { noticeOf, proofAsked, sentBefore } from "../action-notice.server"
import { doneNotice, doneQuery } from "../done-notice.server"
import type { Route } from "./+types/brand-part"
import { type BrandDraft, draftOf } from "./brand-draft.server"
import { brandProblemText, flawsBeside, keyWithFile, typedIn } from "./brand-form.server"

const PATH = "/admin/brand"

/** A part of brand and texts, and the form that changes it: filled in from the draft that the preview leads back with. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const part = partNamed(params.part)
  const { content } = await presentBrand(consoleRequest(context).services.console.brand.versions)
  const drafted = await draftOfPart(context, part, url.searchParams.get("draft") ?? "")
  const notice = doneNotice(url.searchParams, brandPartTitle(part))
  return partPage(context, part, {
    notice,
    problem: null,
    typed: drafted && { typed: null, reason: "", hasNoPicture: false },
    content: drafted?.content ?? content,
    draft: drafted?.id ?? "",
  })
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const part = partNamed(params.part)
  const { services, actor } = consoleRequest(context)
  const form = await formOf(request)
  const asked = changeFormIn(form)
  const { present, drafted, typed, content } = await typedContent(context, part, form)
  const page = (notice: ActionNotice | null, problem: VersionProblem | null) =>
    partPage(context, part, {
      notice,
      problem,
      typed: { typed, reason: asked.reason, hasNoPicture: textIn(form, "none") === "on" },
      content: drafted?.content ?? present.content,
      draft: drafted?.id ?? "",
    })
  if (form.has("preview")) {
    const kept = await keepBrandDraft(services, actor, { part, content, formKey: asked.formKey })
    if (kept.kind === "kept") return redirect(`${PATH}/preview/${kept.id}`, 303)
    if (kept.kind !== "invalid") return page(noticeOf(kept), null)
    return page({ kind: "bad", text: brandProblemText(kept) }, kept)
  }
  const outcome = await changeBrand(services, actor, {
    present,
    form: { ...asked, formKey: await keyWithFile(asked.formKey, form.get("file")) },
    subject: `brand: ${part}`,
    target: { how: "edit", content },
  })
  if (outcome.kind === "repeated") return sentBefore(`${PATH}/${part}`)
  if (outcome.kind === "done") return redirect(`${PATH}/${part}?${doneQuery("edit-brand")}`, 303)
  if (outcome.kind !== "problem") return page(noticeOf(outcome), null)
  return page({ kind: "bad", text: brandProblemText(outcome.problem) }, outcome.problem)
}

/** What holds, and what it would be with what was typed: not checked yet. */
async function typedContent(context: RouteContext, part: BrandPart, form: FormData) {
  const { services } = consoleRequest(context)
  const { brand } = services.console
  const present = await presentBrand(brand.versions)
  const drafted = await draftOfPart(context, part, textIn(form, "draft"))
  const fields = fieldsOfPart(part, services.enabledGateways)
  const typed = typedIn(form, fields)
  const whole = brand.contentWith(present.content)
  const based = part === "logo" ? await withPicture(whole, drafted?.content, form) : whole
  return { present, drafted, typed, content: withTypedBrand(present.content, based, { part, fields, typed }) }
}

/** Throws 404 for a part that there is not. */
function partNamed(name: string): BrandPart {
  const part = brandParts.find((it) => it === name)
  if (!part) throw new Response(null, { status: 404 })
  return part
}

/** Null without a draft of this part. */
async function draftOfPart(context: RouteContext, part: BrandPart, id: string): Promise<BrandDraft | null> {
  const draft = await draftOf(context, id)
  return draft?.part === part ? draft : null
}

/**
 * The content with the picture that was chosen, taken away or kept: the draft's, since a form does not send a file twice. What is
 * no picture is refused by the rules.
 */
async function withPicture(
  whole: BrandContent,
  draft: BrandContent | undefined,
  form: FormData,
): Promise<BrandContent> {
  if (!whole.brand) return whole
  const brand = { ...whole.brand, logo: draft?.brand ? draft.brand.logo : whole.brand.logo }
  const file = form.get("file")
  const isChosen = file instanceof File && file.size > 0
  if (isChosen) {
    const data = Buffer.from(await file.arrayBuffer()).toString("base64")
    return { ...whole, brand: { ...brand, logo: { data, withName: true, plate: true } } }
  }
  return { ...whole, brand: textIn(form, "none") === "on" ? { ...brand, logo: null } : brand }
}

type Shown = {
  readonly notice: ActionNotice | null
  readonly problem: VersionProblem | null
  /** What was typed; without `typed` the form has what the content has. */
  readonly typed: {
    readonly typed: TypedBrand | null
    readonly reason: string
    readonly hasNoPicture: boolean
  } | null
  readonly content: BrandContent
  readonly draft: string
}

async function partPage(
  context: RouteContext,
  part: BrandPart,
  { notice, problem, typed, content, draft }: Shown,
): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { brand } = services.console
  const present = await presentBrand(brand.versions)
  const fields = fieldsOfPart(part, services.enabledGateways)
  const shop = brand.shopWith(content)
  const flaws = problem?.kind === "invalid" ? problem.flaws : []
  return consolePage(
    context,
    { title: brandPartTitle(part), path: PATH, notice },
    <BrandPartScreen
      part={part}
      fields={fields}
      values={typed?.typed ?? typedBrand(brand.contentWith(content), fields)}
      flaws={flawsBeside(flaws, fields)}
      faint={part === "brand" && flaws.length === 0 ? faintColours(shop.brand.colours) : []}
      logo={shop.logo}
      version={present.latest}
      mayEdit={mayDo(session.role, "edit-brand")}
      draft={draft}
      hasNoPicture={typed?.hasNoPicture ?? false}
      formKey={newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      refused={typed}
    />,
  )
}
