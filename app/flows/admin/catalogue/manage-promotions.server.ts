import type {
  PromotionAdmin,
  PromotionDetails,
  PromotionFields,
  PromotionFlaw,
  PromotionSaved,
} from "~/billing/catalogue/promotion-admin"
import type { ConsoleServices } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import { discountFields, promotionTypes } from "~/domain/catalogue/promotion-type"
import type { TypedPromotion } from "~/domain/forms/typed-promotion"
import { includes } from "~/domain/includes"
import { isCurrency, money, toDecimal } from "~/domain/money/money"
import { typedAmount, typedHundredths } from "~/domain/money/typed-amount"
import type { OperatorAction } from "~/domain/operators/operator"
import type { SentKey } from "../form-key.server"
import {
  type ActionOutcome,
  type Actor,
  type FormProblem,
  runOperatorForm,
} from "../run-operator-action.server"

export const promotionActions = [
  "switch-off-promotion",
  "switch-on-promotion",
  "edit-promotion",
] as const satisfies readonly OperatorAction[]
export type PromotionAction = (typeof promotionActions)[number]

/** Whether a form names an action on a promotion. */
export function isPromotionAction(text: string): text is PromotionAction {
  return includes(promotionActions, text)
}

/** A promotion as a form shows it. */
export function typedPromotion(promotion: PromotionDetails): TypedPromotion {
  const { discount, renewals = 0 } = promotion
  const { type: kind, value, currency = "" } = discountFields(discount)
  return {
    code: promotion.code,
    products: promotion.productIds.join(","),
    kind,
    value,
    currency,
    from: promotion.startsOn ?? "",
    to: promotion.endsOn ?? "",
    maxUses: promotion.maxUses === null ? "" : String(promotion.maxUses),
    usesPerPerson: promotion.usesPerPerson === undefined ? "" : String(promotion.usesPerPerson),
    renewals: renewals === 0 ? "" : String(renewals),
    cycles: promotion.cycles?.join(",") ?? "",
  }
}

/** With decimals, as a catalogue file has it. What is no amount and no percentage is refused by its rules. */
function valueIn({ kind, value, currency }: TypedPromotion): string {
  const isAmount = kind === promotionTypes.fixed && isCurrency(currency)
  const minor = isAmount ? typedAmount(value, currency)?.minor : typedHundredths(value)
  // The rules of a percentage are those of an amount with two decimals.
  return minor == null ? value.trim() : toDecimal(money(minor, isAmount ? currency : "EUR"))
}

/** What was typed as a catalogue file has it, whose rules check it. */
export function promotionFields(typed: TypedPromotion): PromotionFields {
  return {
    code: typed.code,
    appliesto: typed.products,
    type: typed.kind,
    value: valueIn(typed),
    currency: typed.currency || undefined,
    startdate: typed.from || undefined,
    expirationdate: typed.to || undefined,
    maxuses: wholeIn(typed.maxUses),
    renewals: typed.renewals.trim().toLowerCase() === "all" ? -1 : wholeIn(typed.renewals),
    cycles: typed.cycles.split(",").filter(Boolean),
    maxusesperperson: wholeIn(typed.usesPerPerson),
  }
}

/** No number is NaN, which the rules refuse. */
function wholeIn(text: string): number {
  return text.trim() === "" ? 0 : Number(text)
}

/** Switches a promotion on or off; false if it is so already, or unknown. */
export function switchPromotion(
  promotions: PromotionAdmin,
  { code, action, at }: { code: string; action: "switch-off-promotion" | "switch-on-promotion"; at: Instant },
): Promise<boolean> {
  return action === "switch-off-promotion" ? promotions.switchOff(code, at) : promotions.switchOn(code)
}

/** What a form says that the operator had seen: another text says that something has changed since. */
export function seenOfPromotion(promotion: PromotionDetails): string {
  const typed = Object.values(typedPromotion(promotion)).join("|")
  return promotion.offSince === null ? typed : `off ${promotion.offSince} ${typed}`
}

export type PromotionProblem =
  | { readonly kind: "reason-missing" | "changed" | "not-allowed" | "exists" }
  | { readonly kind: "invalid"; readonly flaws: readonly PromotionFlaw[] }

type Problem = FormProblem<PromotionProblem>

const problem = (found: PromotionProblem): Problem => ({ kind: "problem", problem: found })

type SentForm = {
  readonly typed: TypedPromotion
  readonly reason: string
  readonly formKey: SentKey
  readonly proof: { readonly password: string; readonly code: string }
}

export type PromotionForm = SentForm & { readonly action: PromotionAction; readonly seen: string }
export type NewPromotionForm = SentForm

/** Adds a promotion with a form of the console, and writes the audit log. */
export async function addPromotionByForm(
  services: ConsoleServices,
  actor: Actor,
  { promotions, form }: { readonly promotions: PromotionAdmin; readonly form: NewPromotionForm },
): Promise<ActionOutcome<PromotionDetails> | Problem> {
  const code = form.typed.code.trim()
  const about = { action: "add-promotion", subject: `promotion ${code}` } as const
  const request = { ...askedOf(form), ...about, problem: missingReason(form) }
  const outcome = await runOperatorForm<PromotionSaved, PromotionProblem>(
    services,
    actor,
    request,
    async () => {
      const value = await promotions.addPromotion(promotionFields(form.typed))
      return { after: logOf(value), value }
    },
  )
  return outcome.kind === "done" ? savedOr(outcome.value) : outcome
}

/** Does what a form of a promotion's page asks for, and writes the audit log. */
export async function actOnPromotion(
  services: ConsoleServices,
  actor: Actor,
  asked: {
    readonly promotions: PromotionAdmin
    readonly promotion: PromotionDetails
    readonly form: PromotionForm
  },
): Promise<ActionOutcome<PromotionDetails> | Problem> {
  const { promotion, form } = asked
  const { action } = form
  const { code } = promotion
  const isSeen = form.seen === seenOfPromotion(promotion)
  const wrong: PromotionProblem | null = isSeen ? missingReason(form) : { kind: "changed" }
  const request = { ...askedOf(form), action, subject: `promotion ${code}`, problem: wrong }
  const outcome = await runOperatorForm<PromotionSaved, PromotionProblem>(
    services,
    actor,
    request,
    async () => {
      const value = await changed(asked, services.now())
      return { before: auditedOf(promotion), after: logOf(value), value }
    },
  )
  return outcome.kind === "done" ? savedOr(outcome.value) : outcome
}

function missingReason({ reason }: SentForm): PromotionProblem | null {
  return reason === "" ? { kind: "reason-missing" } : null
}

async function changed(
  { promotions, promotion, form }: Parameters<typeof actOnPromotion>[2],
  at: Instant,
): Promise<PromotionSaved> {
  const { action, typed } = form
  const { code } = promotion
  if (action === "edit-promotion")
    return promotions.changePromotion(promotionFields({ ...typed, code }), promotion)
  if (!(await switchPromotion(promotions, { code, action, at }))) return { kind: "unknown" }
  return { kind: "saved", promotion: (await promotions.promotionDetails(code)) ?? promotion }
}

function savedOr(
  saved: PromotionSaved,
): { readonly kind: "done"; readonly value: PromotionDetails } | Problem {
  switch (saved.kind) {
    case "saved":
      return { kind: "done", value: saved.promotion }
    case "invalid":
      return problem(saved)
    case "exists":
    case "changed":
      return problem({ kind: saved.kind })
    case "unknown":
      return problem({ kind: "not-allowed" })
  }
}

/** A promotion for the audit log. */
export function auditedOf(promotion: PromotionDetails) {
  return { ...typedPromotion(promotion), isOff: promotion.offSince !== null }
}

function logOf(saved: PromotionSaved): unknown {
  if (saved.kind === "saved") return auditedOf(saved.promotion)
  return saved.kind === "invalid"
    ? { error: "invalid", fields: saved.flaws.map(({ field }) => field) }
    : { error: saved.kind }
}

const askedOf = ({ reason, formKey, proof }: SentForm) => ({ reason, formKey, proof })
