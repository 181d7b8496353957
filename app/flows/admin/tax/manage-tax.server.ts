import type { PresentTax, TaxAdmin } from "~/billing/tax-admin"
import type { SeenVersion } from "~/billing/versions"
import type { ConsoleServices } from "~/context/services.server"
import { type Day, dayIn } from "~/domain/calendar"
import type { Flaw } from "~/domain/flaw"
import { taxChanges } from "~/domain/tax/tax-changes"
import { TaxFile } from "~/domain/tax/tax-file"
import {
  makeVersion,
  type VersionForm,
  type VersionMaking,
  type VersionOutcome,
  versionOutcome,
} from "../make-version.server"
import type { Actor } from "../run-operator-action.server"

/** A flaw in words, with its place in the rules. Entries are counted from one, as on the page. */
export function taxFlawText({ path, message }: Flaw): string {
  const place = path.map((it) => (typeof it === "number" ? it + 1 : String(it))).join(" ")
  return `${place || "The rules"}: ${message}.`
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

/** What a step leads to. `content`: null for the shop file's rules. */
type AfterStep =
  | { readonly kind: "rules"; readonly content: TaxFile | null }
  | { readonly kind: "version"; readonly version: number }
  | { readonly kind: "invalid"; readonly flaws: readonly Flaw[] }

/** `today`: the day on which rates are confirmed. */
export function afterTaxStep(step: TaxStep, { content }: Pick<PresentTax, "content">, today: Day): AfterStep {
  if (step.action === "edit-tax") return checked(step.content)
  if (step.action === "take-back-tax") return { kind: "version", version: step.version }
  if (step.action === "use-tax-file") return { kind: "rules", content: null }
  if (!content)
    return { kind: "invalid", flaws: [{ path: [], message: "there are none yet: type them first" }] }
  const confirmedOn = step.action === "confirm-tax" ? today : null
  return { kind: "rules", content: { ...content, confirmedOn } }
}

/** Checks rules as the shop file's are. */
function checked(content: unknown): AfterStep {
  const parsed = TaxFile.safeParse(content)
  return parsed.success
    ? { kind: "rules", content: parsed.data }
    : { kind: "invalid", flaws: parsed.error.issues.map(({ path, message }) => ({ path, message })) }
}

/** Writes a version. The console and the command line do it by this. */
export async function saveTax(tax: TaxAdmin, to: AfterStep, made: SeenVersion): Promise<VersionOutcome> {
  if (to.kind === "invalid") return to
  const saved =
    to.kind === "version" ? await tax.takeBack(to.version, made) : await tax.change(to.content, made)
  return versionOutcome(saved, taxChanges)
}

type Change = {
  readonly tax: TaxAdmin
  readonly present: PresentTax
  readonly form: VersionForm
  readonly step: TaxStep
}

/** Changes the rules of tax with a form of the console. */
export function changeTax(
  services: ConsoleServices,
  actor: Actor,
  { tax, present, form, step }: Change,
): Promise<VersionMaking> {
  const to = afterTaxStep(step, present, dayIn(services.shop.timeZone, services.now()))
  return makeVersion(services, actor, {
    action: step.action,
    subject: to.kind === "version" ? `tax version ${to.version}` : "tax",
    form,
    versions: tax,
    latest: present.latest,
    wrong: to.kind === "invalid" ? to : null,
    save: (made) => saveTax(tax, to, made),
  })
}
