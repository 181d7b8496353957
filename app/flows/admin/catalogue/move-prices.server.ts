import { BillingError } from "~/billing/billing"
import type { NewPriceMoveRun, PriceMoveRun } from "~/billing/services/price-moves"
import type {
  MovedServices,
  PriceMove,
  PriceMoveCount,
  PriceReturn,
  RenewalGroup,
  ServiceAdmin,
} from "~/billing/services/service-admin"
import type { ConsoleServices } from "~/context/services.server"
import { type Cycle, cycles } from "~/domain/billing-cycle"
import type { Instant } from "~/domain/calendar"
import { localInstant } from "~/domain/local-time"
import { type Currency, currencies } from "~/domain/money"
import { type OperatorRole, operatorShownTo } from "~/domain/operator"
import { PRICE_NOTICE } from "~/domain/renewal"
import { typedRenewalPrice } from "~/domain/typed-amount"
import {
  type ActionOutcome,
  type Actor,
  type FormProblem,
  missingReason,
  runOperatorForm,
} from "~/flows/admin/run-operator-action.server"

/** Another renewal price of a product's services as an operator types it. `group`: see `groupName`. */
export type TypedPriceMove = { readonly group: string; readonly price: string; readonly from: string }

export type PriceMoveProblem =
  | "reason-missing"
  | "group-missing"
  | "amount-invalid"
  | "day-invalid"
  /** Customers get a notice of 30 days. */
  | "day-too-near"
  | "no-mail"
  | "no-effect"

type Problem = FormProblem<PriceMoveProblem>

const problem = (it: PriceMoveProblem): Problem => ({ kind: "problem", problem: it })

type Renewals = { readonly currency: Currency; readonly cycle: Cycle }

/** The services of a product with one currency and cycle, as a form names them: "EUR annually". */
export function groupName({ currency, cycle }: Renewals): string {
  return `${currency} ${cycle}`
}

function groupNamed(name: string): Renewals | null {
  const [first, second] = name.split(" ")
  const currency = currencies.find((it) => it === first)
  const cycle = cycles.find((it) => it === second)
  return currency && cycle ? { currency, cycle } : null
}

/** `isCut`: there are more. */
export type CountedMove = PriceMoveCount & { readonly isCut: boolean }

type Counting = Pick<ConsoleServices, "now" | "shop"> & {
  readonly console: { readonly services: Pick<ServiceAdmin, "countPriceMove"> }
}

/** How many services of a product would get another price, or why it cannot be announced. Changes nothing. */
export async function countPrices(
  services: Counting,
  productId: string,
  typed: TypedPriceMove,
): Promise<{ readonly kind: "counted"; readonly count: CountedMove } | Problem> {
  const move = moveIn(services, productId, { ...typed, reason: "" })
  if (typeof move === "string") return problem(move)
  const count = await services.console.services.countPriceMove(move)
  return count.services === 0 && count.unpriced === 0 ? problem("no-effect") : { kind: "counted", count }
}

/** Of all services of a product with one cycle and currency. */
export type ProductMove = PriceMove & { readonly services: Extract<MovedServices, { productId: string }> }

function moveIn(
  { now, shop }: Pick<ConsoleServices, "now" | "shop">,
  productId: string,
  { group: name, price, from: day, reason }: TypedPriceMove & { readonly reason: string },
): ProductMove | PriceMoveProblem {
  const group = groupNamed(name)
  if (group === null) return "group-missing"
  const amount = typedRenewalPrice(price, group.currency)
  if (amount === null) return "amount-invalid"
  const from = localInstant(day, shop.timeZone)
  if (from === null) return "day-invalid"
  if (from < now() + PRICE_NOTICE) return "day-too-near"
  return { services: { productId, cycle: group.cycle }, price: amount, from, reason }
}

type Asked = { readonly productId: string; readonly reason: string; readonly formKey: string }

type Outcome<T> = ActionOutcome<T> | Problem

/**
 * Begins to announce another renewal price to a product's services by a form of the console, and writes the audit log. A background job
 * goes on with it.
 */
export async function announcePrices(
  services: ConsoleServices,
  actor: Actor,
  { productId, reason, formKey, typed }: Asked & { readonly typed: TypedPriceMove },
): Promise<Outcome<null>> {
  const move = moveIn(services, productId, { ...typed, reason })
  const wrong = typeof move === "string" ? move : missingReason(reason)
  const request = {
    action: "move-price",
    subject: subjectOf(productId),
    reason,
    formKey,
    problem: wrong,
  } as const
  const outcome = await runOperatorForm(services, actor, request, async () => {
    // Only who may not do it gets so far with a move that cannot be.
    const { operatorId, email: operator } = actor.session
    const run = typeof move === "string" ? null : await begun(services, move, { operatorId, operator })
    return { after: { ...typed, run }, value: run }
  })
  if (outcome.kind !== "done") return outcome
  if (outcome.value === null) return problem("no-mail")
  services.wakeJobs()
  return { kind: "done", value: null }
}

type Starter = { readonly operatorId: string | null; readonly operator: string }

/** The id of the run. Null: the shop sends no mail, so that nobody gets the notice. */
async function begun(
  { priceMoves, newId, now }: Pick<ConsoleServices, "priceMoves" | "newId" | "now">,
  move: ProductMove,
  starter: Starter,
): Promise<string | null> {
  const id = newId()
  try {
    await priceMoves.begin(runIn(move, { ...starter, id, at: now() }))
    return id
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error
    return null
  }
}

/** A run that announces a price to all services of a product with one cycle and currency. */
export function runIn(
  { services, ...move }: ProductMove,
  begun: Starter & Pick<NewPriceMoveRun, "id" | "at">,
): NewPriceMoveRun {
  return { ...services, ...move, ...begun }
}

/** Runs of a product that its page shows. */
const MAX_RUNS = 10

/** The newest announcements of another price of a product, as a role sees them. */
export async function shownRuns(
  { priceMoves }: Pick<ConsoleServices, "priceMoves">,
  productId: string,
  role: OperatorRole,
): Promise<readonly PriceMoveRun[]> {
  const runs = await priceMoves.ofProduct(productId, MAX_RUNS)
  return runs.map((run) => ({ ...run, operator: operatorShownTo(role, run.operator) }))
}

type TakeBack = Asked & { readonly group: string; readonly from: Instant }

/** Takes an announced price of a product's services back by a form of the console, and writes the audit log. */
export async function takeBackPrices(
  services: ConsoleServices,
  actor: Actor,
  { productId, reason, formKey, group, from }: TakeBack,
): Promise<Outcome<number>> {
  const kept = keptIn({ productId, reason, from, group })
  const wrong = kept === null ? "no-effect" : missingReason(reason)
  const request = {
    action: "keep-price",
    subject: subjectOf(productId),
    reason,
    formKey,
    problem: wrong,
  } as const
  const outcome = await runOperatorForm(services, actor, request, async () => {
    const count = kept === null ? 0 : await services.console.services.keepPrices(kept, services.now())
    return { after: { group, from, services: count }, value: count }
  })
  if (outcome.kind !== "done") return outcome
  return outcome.value === 0 ? problem("no-effect") : outcome
}

/** Null: no page of ours has such a form. */
function keptIn({ productId, group: name, from, reason }: Omit<TakeBack, "formKey">): PriceReturn | null {
  const group = groupNamed(name)
  if (group === null || !Number.isSafeInteger(from)) return null
  const { currency, cycle } = group
  return { services: { productId, cycle }, currency, from, reason }
}

/** As the admin CLI names it in the audit log. */
const subjectOf = (productId: string) => `services of ${productId}`

/** The groups of a product without their days, each once. */
export function groupNames(groups: readonly RenewalGroup[]): readonly string[] {
  return [...new Set(groups.map(groupName))]
}
