import type { SeenVersion } from "~/billing/catalogue-admin"
import type { PresentTax, TaxAdmin, TaxSaved } from "~/billing/tax-admin"
import type { ConsoleServices } from "~/context/services.server"
import { dayIn } from "~/domain/calendar"
import { mayDo } from "~/domain/operator"
import { taxChanges } from "~/domain/tax-changes"
import { TaxFile } from "~/domain/tax-file"
import { type ActionOutcome, type Actor, runOperatorAction } from "./run-operator-action.server"

/** What a place of the rules is refused for, in English: `["rates", 0, "percent"]`. */
export type TaxFlaw = { readonly path: readonly PropertyKey[]; readonly message: string }

/** A flaw in words, with its place in the rules. Entries are counted from one, as on the page. */
export function taxFlawText({ path, message }: TaxFlaw): string {
  const place = path.map((it) => (typeof it === "number" ? it + 1 : String(it))).join(" ")
  return `${place || "The rules"}: ${message}.`
}

export type TaxChecked =
  | { readonly kind: "valid"; readonly content: TaxFile }
  | { readonly kind: "invalid"; readonly flaws: readonly TaxFlaw[] }

/** Checks rules as the shop file's are. */
export function checkTax(content: unknown): TaxChecked {
  const parsed = TaxFile.safeParse(content)
  return parsed.success
    ? { kind: "valid", content: parsed.data }
    : { kind: "invalid", flaws: parsed.error.issues.map(({ path, message }) => ({ path, message })) }
}

/** What is to be with the rules in force. */
export type TaxStep =
  /** Rules as they were typed, not checked yet. */
  | { readonly action: "edit-tax"; readonly content: unknown }
  /** The rates were checked today: sales are taxed from now on. */
  | { readonly action: "confirm-tax" }
  | { readonly action: "switch-off-tax" }
  /** The shop file's rules are in force again. */
  | { readonly action: "use-tax-file" }
  | { readonly action: "take-back-tax"; readonly version: number }

export type TaxProblem =
  | { readonly kind: "reason-missing" | "changed" | "same" | "no-rules" }
  | { readonly kind: "invalid"; readonly flaws: readonly TaxFlaw[] }

type Problem = { readonly kind: "problem"; readonly problem: TaxProblem }

const problem = (found: TaxProblem): Problem => ({ kind: "problem", problem: found })

export type TaxForm = {
  readonly reason: string
  readonly formKey: string
  /** Number of the last version when the page was opened. */
  readonly seen: string
  readonly proof: { readonly password: string; readonly code: string }
}

type Change = {
  readonly tax: TaxAdmin
  readonly present: PresentTax
  readonly form: TaxForm
  readonly step: TaxStep
}

type Saved = Extract<TaxSaved, { kind: "saved" }>

/** Changes the rules of tax with a form of the console, as a version, and writes the audit log. */
export async function changeTax(
  services: ConsoleServices,
  actor: Actor,
  change: Change,
): Promise<ActionOutcome<Saved> | Problem> {
  const { present, form, step } = change
  const { action } = step
  const flaw = mayDo(actor.session.role, action) ? flawOf(form, present) : null
  if (flaw) return flaw
  const today = dayIn(services.shop.timeZone, services.now())
  const to = afterStep(step, { present, today })
  if (to.kind !== "valid" && to.kind !== "version") return problem(to)
  const { reason, formKey, proof } = form
  const subject = to.kind === "version" ? `tax version ${to.version}` : "tax"
  const request = { action, subject, reason: reason || null, formKey, proof } as const
  const outcome = await runOperatorAction<TaxSaved>(services, actor, request, async () => {
    const made = {
      author: actor.session.email,
      reason,
      at: services.now(),
      seenVersion: present.latest,
    }
    const value = await saved(change.tax, to, made)
    return { before: { version: present.latest }, after: taxLogOf(value), value }
  })
  if (outcome.kind !== "done") return outcome
  const { value } = outcome
  return value.kind === "saved" ? { kind: "done", value } : problem(value)
}

type Target =
  | { readonly kind: "valid"; readonly content: TaxFile | null }
  | { readonly kind: "version"; readonly version: number }

async function saved(tax: TaxAdmin, to: Target, made: SeenVersion): Promise<TaxSaved> {
  if (to.kind === "valid") return tax.change(to.content, made)
  return (await tax.takeBack(to.version, made)) ?? { kind: "changed" }
}

type Before = { readonly present: PresentTax; readonly today: string }

function afterStep(step: TaxStep, before: Before): ContentAfter | Target {
  return step.action === "take-back-tax"
    ? { kind: "version", version: step.version }
    : contentAfter(step, before)
}

/** What a role may not do is refused, and recorded, by `runOperatorAction`. */
function flawOf({ seen, reason }: TaxForm, { latest }: PresentTax): Problem | null {
  if (seen !== String(latest)) return problem({ kind: "changed" })
  return reason === "" ? problem({ kind: "reason-missing" }) : null
}

type ContentAfter =
  | { readonly kind: "valid"; readonly content: TaxFile | null }
  | { readonly kind: "no-rules" }
  | { readonly kind: "invalid"; readonly flaws: readonly TaxFlaw[] }

/** The rules that a step leads to; null: the shop file's. */
export function contentAfter(
  step: Exclude<TaxStep, { action: "take-back-tax" }>,
  { present: { content }, today }: Before,
): ContentAfter {
  if (step.action === "edit-tax") return checkTax(step.content)
  if (step.action === "use-tax-file") return { kind: "valid", content: null }
  if (!content) return { kind: "no-rules" }
  return { kind: "valid", content: { ...content, confirmedOn: step.action === "confirm-tax" ? today : null } }
}

/** What the audit log keeps of a change. */
export function taxLogOf(saved: TaxSaved): object {
  return saved.kind === "saved"
    ? { version: saved.version, changes: taxChanges(saved.before, saved.after) }
    : { error: saved.kind }
}
