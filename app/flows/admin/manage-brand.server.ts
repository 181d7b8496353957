import type { BrandOrigin, BrandSaved, BrandVersions } from "~/billing/brand-versions"
import type { ConsoleServices } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import { mayDo, type OperatorAction } from "~/domain/operator"
import { brandChanges } from "~/domain/shop/brand-changes"
import type { BrandPart } from "~/domain/shop/brand-fields"
import { type BrandContent, type BrandFlaw, checkBrand, savedBrand } from "~/domain/shop/shop-sections"
import { isFormKey } from "./form-key.server"
import { type ActionOutcome, type Actor, runOperatorAction } from "./run-operator-action.server"

/** What the console has set, with the number of its version; 0: nothing yet. */
export type PresentBrand = { readonly version: number; readonly content: BrandContent }

export async function presentBrand(versions: Pick<BrandVersions, "present">): Promise<PresentBrand> {
  const { version, content } = await versions.present()
  return { version, content: savedBrand(content) }
}

/** The content of a version; that of number 0 is the shop file's: nothing is set. Null for an unknown number. */
export async function brandOfVersion(
  versions: Pick<BrandVersions, "version">,
  number: number,
): Promise<BrandContent | null> {
  if (number === 0) return {}
  const found = await versions.version(number)
  return found && savedBrand(found.content)
}

/** What the console is to have set: content that is checked, that of an earlier version, or nothing. */
export type BrandTarget =
  | { readonly how: "edit"; readonly content: unknown }
  | { readonly how: "take-back"; readonly version: number }
  | { readonly how: "reset" }

type Made = {
  readonly author: string
  readonly reason: string | null
  readonly at: Instant
  /** What the author has seen. */
  readonly present: PresentBrand
}

export type BrandChanged =
  | { readonly kind: "saved"; readonly version: number; readonly changes: readonly string[] }
  | { readonly kind: "invalid"; readonly flaws: readonly BrandFlaw[] }
  | { readonly kind: "changed" | "same" | "unknown-version" }

/** Checks what is to be and writes a version. The console and the command line do it by this. */
export async function saveBrand(
  versions: BrandVersions,
  target: BrandTarget,
  { present, ...made }: Made,
): Promise<BrandChanged> {
  const wanted = await wantedContent(versions, target)
  if (wanted === null) return { kind: "unknown-version" }
  // What was saved under former rules is checked again: a version that the rules refuse now is not put in force.
  const checked = checkBrand(wanted)
  if (checked.kind === "invalid") return checked
  const saved: BrandSaved = await versions.save(checked.content, {
    ...made,
    how: target.how,
    takenFrom: target.how === "take-back" ? target.version : null,
    seenVersion: present.version,
  })
  if (saved.kind !== "saved") return saved
  return { ...saved, changes: brandChanges(present.content, checked.content) }
}

async function wantedContent(versions: BrandVersions, target: BrandTarget): Promise<unknown> {
  if (target.how === "edit") return target.content
  if (target.how === "reset") return {}
  return (await versions.version(target.version))?.content ?? null
}

/** A flaw in words, with its place in the shop file. */
export function brandFlawText({ path, message }: BrandFlaw): string {
  return `${path.map(String).join(".") || "The content"}: ${message}.`
}

export type BrandProblem =
  | { readonly kind: "reason-missing" | "changed" | "same" | "unknown-version" }
  | { readonly kind: "invalid"; readonly flaws: readonly BrandFlaw[] }

export type BrandForm = {
  readonly reason: string
  readonly formKey: string
  /** Number of the last version when the page was opened. */
  readonly seen: string
  readonly proof: { readonly password: string; readonly code: string }
}

type Change = {
  readonly present: PresentBrand
  readonly form: BrandForm
  /** What it is about, such as "brand" or "brand version 3". */
  readonly subject: string
  readonly target: BrandTarget
}

type Saved = Extract<BrandChanged, { kind: "saved" }>
type Problem = { readonly kind: "problem"; readonly problem: BrandProblem }

const problem = (found: BrandProblem): Problem => ({ kind: "problem", problem: found })

const actions: Readonly<Record<BrandOrigin, OperatorAction>> = {
  edit: "edit-brand",
  "take-back": "take-back-brand",
  reset: "reset-brand",
}

/** Changes brand or texts with a form of the console, and writes the audit log. What is saved holds on this instance at once. */
export async function changeBrand(
  services: ConsoleServices,
  actor: Actor,
  { present, form, subject, target }: Change,
): Promise<ActionOutcome<Saved> | Problem> {
  const { session } = actor
  const { reason, formKey, proof } = form
  const action = actions[target.how]
  const flaw = mayDo(session.role, action) ? flawOf(form, present, target) : null
  if (flaw) return flaw
  const { brand } = services.console
  const request = { action, subject, reason: reason || null, formKey, proof } as const
  const outcome = await runOperatorAction<BrandChanged>(services, actor, request, async () => {
    const made = { author: session.email, reason, at: services.now(), present }
    const value = await saveBrand(brand.versions, target, made)
    if (value.kind === "saved") await brand.refresh()
    return { before: { version: present.version }, after: logOf(value), value }
  })
  if (outcome.kind !== "done") return outcome
  const { value } = outcome
  return value.kind === "saved" ? { kind: "done", value } : problem(value)
}

type Draft = { readonly part: BrandPart; readonly content: unknown; readonly formKey: string }

export type BrandDraftKept =
  | { readonly kind: "kept"; readonly id: string }
  | { readonly kind: "invalid"; readonly flaws: readonly BrandFlaw[] }
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

/** What a role may not do is refused, and recorded, by `runOperatorAction`. */
function flawOf({ seen, reason }: BrandForm, { version }: PresentBrand, target: BrandTarget): Problem | null {
  if (seen !== String(version)) return problem({ kind: "changed" })
  // Before the reason and the password: what is typed has to be right first.
  const checked = target.how === "edit" ? checkBrand(target.content) : null
  if (checked?.kind === "invalid") return problem(checked)
  return reason === "" ? problem({ kind: "reason-missing" }) : null
}

function logOf(changed: BrandChanged): unknown {
  if (changed.kind === "saved") return { version: changed.version, changes: changed.changes }
  return changed.kind === "invalid"
    ? { error: "invalid", places: changed.flaws.map(({ path }) => path.map(String).join(".")) }
    : { error: changed.kind }
}
