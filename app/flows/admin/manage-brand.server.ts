import type { BrandOrigin, BrandVersions } from "~/billing/brand-versions"
import type { SeenVersion } from "~/billing/versions"
import type { ConsoleServices } from "~/context/services.server"
import type { Flaw } from "~/domain/flaw"
import { mayDo, type OperatorAction } from "~/domain/operators/operator"
import { brandChanges } from "~/domain/shop/brand-changes"
import type { BrandPart } from "~/domain/shop/brand-fields"
import { type BrandContent, checkBrand, savedBrand } from "~/domain/shop/shop-sections"
import { isFormKey, type SentKey } from "./form-key.server"
import { makeVersion, type VersionForm, type VersionMaking, type VersionOutcome } from "./make-version.server"
import type { Actor } from "./run-operator-action.server"

/** What the console has set, with the number of the last version; 0: nothing yet. */
export type PresentBrand = { readonly latest: number; readonly content: BrandContent }

/** What the console has set of the brand, with the number of its last version. */
export async function presentBrand(versions: Pick<BrandVersions, "present">): Promise<PresentBrand> {
  const { version, content } = await versions.present()
  return { latest: version, content: savedBrand(content) }
}

/** What the console is to have set: content that is checked, that of an earlier version, or nothing. */
export type BrandTarget =
  | { readonly how: "edit"; readonly content: unknown }
  | { readonly how: "take-back"; readonly version: number }
  | { readonly how: "reset" }

/** `present`: what its author has seen. */
type Save = { readonly target: BrandTarget; readonly present: PresentBrand }

/** Checks what is to be and writes a version. The console and the command line do it by this. */
export async function saveBrand(
  versions: BrandVersions,
  { target, present }: Save,
  made: SeenVersion,
): Promise<VersionOutcome> {
  const wanted = await wantedContent(versions, target)
  if (wanted === null) return { kind: "unknown-version" }
  // What was saved under former rules is checked again: a version that the rules refuse now is not put in force.
  const checked = checkBrand(wanted)
  if (checked.kind === "invalid") return checked
  const takenFrom = target.how === "take-back" ? target.version : null
  const saved = await versions.save(checked.content, { ...made, how: target.how, takenFrom })
  if (saved.kind !== "saved") return saved
  return { ...saved, changes: brandChanges(present.content, checked.content) }
}

async function wantedContent(versions: BrandVersions, target: BrandTarget): Promise<unknown> {
  if (target.how === "edit") return target.content
  if (target.how === "reset") return {}
  return (await versions.version(target.version))?.content ?? null
}

/** A flaw in words, with its place in the shop file. */
export function brandFlawText({ path, message }: Flaw): string {
  return `${path.map(String).join(".") || "The content"}: ${message}.`
}

type Change = Save & {
  readonly form: VersionForm
  /** What it is about, such as "brand" or "brand version 3". */
  readonly subject: string
}

const actions: Readonly<Record<BrandOrigin, OperatorAction>> = {
  edit: "edit-brand",
  "take-back": "take-back-brand",
  reset: "reset-brand",
}

/** Changes brand or texts with a form of the console. What is saved holds on this instance at once. */
export function changeBrand(
  services: ConsoleServices,
  actor: Actor,
  { present, form, subject, target }: Change,
): Promise<VersionMaking> {
  const { brand } = services.console
  const checked = target.how === "edit" ? checkBrand(target.content) : null
  return makeVersion(services, actor, {
    action: actions[target.how],
    subject,
    form,
    versions: brand.versions,
    latest: present.latest,
    wrong: checked?.kind === "invalid" ? checked : null,
    save: async (made) => {
      const outcome = await saveBrand(brand.versions, { target, present }, made)
      if (outcome.kind === "saved") await brand.refresh()
      return outcome
    },
  })
}

type Draft = { readonly part: BrandPart; readonly content: unknown; readonly formKey: SentKey }

export type BrandDraftKept =
  | { readonly kind: "kept"; readonly id: string }
  | { readonly kind: "invalid"; readonly flaws: readonly Flaw[] }
  | { readonly kind: "forbidden" | "stale-form" }

/** Keeps what was typed of a part for a preview, if it could be saved. Nothing of it holds, and the audit log has no entry. */
export async function keepBrandDraft(
  services: Pick<ConsoleServices, "console" | "signer" | "newId" | "now">,
  { session }: Actor,
  { part, content, formKey }: Draft,
): Promise<BrandDraftKept> {
  if (!mayDo(session.role, "edit-brand")) return { kind: "forbidden" }
  if (!isFormKey(services, session, formKey)) return { kind: "stale-form" }
  const checked = checkBrand(content)
  if (checked.kind === "invalid") return checked
  const id = services.newId()
  const draft = { id, at: services.now(), content: { part, content: checked.content } }
  await services.console.brand.versions.keepDraft(draft)
  return { kind: "kept", id }
}
