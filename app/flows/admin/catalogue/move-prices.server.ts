import { isRefusedByBilling } from "~/billing/billing"
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
import type { Instant } from "~/domain/calendar"
import { type Cycle, cycles } from "~/domain/catalogue/billing-cycle"
import { localInstant } from "~/domain/local-time"
import { type Currency, currencies } from "~/domain/money/money"
import { typedRenewalPrice } from "~/domain/money/typed-amount"
import { type OperatorRole, operatorShownTo } from "~/domain/operators/operator"
import { PRICE_NOTICE } from "~/domain/services/renewal"
import {
  type ActionOutcome,
  type Actor,
  type FormProblem,
  missingReason,
  runOperatorForm,
} from "~/flows/admin/run-operator-action.server"
import type { SentKey } from "../form-key.server"

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
  /** The announced price is the services' own by now. */
  | "day-come"
  | "no-effect"
  /** Somebody else has announced a price of the plan, or has taken one back, since the page was opened. */
  | "changed"

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

type OfProduct = { readonly services: Extract<MovedServices, { productId: string }> }

/** Of all services of a product with one cycle and currency. */
export type ProductMove = PriceMove & OfProduct

/** The same for a price that is taken back. */
export type ProductReturn = PriceReturn & OfProduct

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

type SentForm = {
  readonly productId: string
  readonly reason: string
  readonly formKey: SentKey
  readonly proof: { readonly password: string; readonly code: string }
  /** What the operator had seen, see `seenOfRuns`. */
  readonly seen: string
}

type Outcome<T> = ActionOutcome<T> | Problem

/**
 * Begins to announce another renewal price to a product's services by a form of the console, and writes the audit log. A background job
 * goes on with it.
 */
export async function announcePrices(
  services: ConsoleServices,
  actor: Actor,
  { productId, reason, formKey, proof, seen, typed }: SentForm & { readonly typed: TypedPriceMove },
): Promise<Outcome<null>> {
  const move = moveIn(services, productId, { ...typed, reason })
  const wrong = typeof move === "string" ? move : await problemOf(services, { productId, reason, seen })
  const request = {
    action: "move-price",
    subject: subjectOf(productId),
    reason,
    formKey,
    proof,
    problem: wrong,
  } as const
  const outcome = await runOperatorForm(services, actor, request, async () => {
    // Only who may not do it gets so far with a move that cannot be.
    const run = typeof move === "string" ? null : announcementIn(move, begunBy(services, actor, seen))
    const wrongNow = await begunRun(services, run, "no-mail")
    return { after: { ...typed, run: run?.id, result: wrongNow ?? "begun" }, value: wrongNow }
  })
  return withProblem(outcome)
}

type Starter = { readonly operatorId: string | null; readonly operator: string }

function begunBy(
  { newId, now }: Pick<ConsoleServices, "newId" | "now">,
  { session }: Actor,
  seen: string,
): Begun {
  const { operatorId, email: operator } = session
  return { operatorId, operator, id: newId(), at: now(), newestBefore: seen || null }
}

/** Begins a run, which a background job goes on with. Returns why it was not, or null. `refused`: what a refusal says. */
async function begunRun(
  { priceMoves, wakeJobs }: Pick<ConsoleServices, "priceMoves" | "wakeJobs">,
  run: NewPriceMoveRun | null,
  refused: "no-mail" | "day-come",
): Promise<PriceMoveProblem | null> {
  if (run === null) return "no-effect"
  try {
    if ((await priceMoves.begin(run)) === "changed") return "changed"
  } catch (error) {
    if (!isRefusedByBilling(error)) throw error
    return refused
  }
  wakeJobs()
  return null
}

function withProblem(outcome: Outcome<PriceMoveProblem | null>): Outcome<null> {
  if (outcome.kind !== "done") return outcome
  return outcome.value === null ? { kind: "done", value: null } : problem(outcome.value)
}

async function problemOf(
  { priceMoves }: Pick<ConsoleServices, "priceMoves">,
  { productId, seen, reason }: Omit<SentForm, "formKey" | "proof">,
): Promise<PriceMoveProblem | null> {
  if (seen !== seenOfRuns(await priceMoves.ofProduct(productId, 1))) return "changed"
  return missingReason(reason)
}

/** What an operator has seen of the runs of a product, newest first: another text says that one was begun since. */
export function seenOfRuns([newest]: readonly Pick<PriceMoveRun, "id">[]): string {
  return newest?.id ?? ""
}

type Begun = Starter & Pick<NewPriceMoveRun, "id" | "at" | "newestBefore">

/** A run that announces a price to all services of a product with one cycle and currency. */
export function announcementIn({ services, ...move }: ProductMove, begun: Begun): NewPriceMoveRun {
  return { ...services, ...move, ...begun, kind: "announcement", currency: move.price.currency }
}

/** A run that takes an announced price back from them. */
export function returnIn({ services, ...kept }: ProductReturn, begun: Begun): NewPriceMoveRun {
  return { ...services, ...kept, ...begun, kind: "return", price: null }
}

/** Runs of a product that its page shows. */
const MAX_RUNS = 10

/** The newest runs of a product, as a role sees them. */
export async function shownRuns(
  { priceMoves }: Pick<ConsoleServices, "priceMoves">,
  productId: string,
  role: OperatorRole,
): Promise<readonly PriceMoveRun[]> {
  const runs = await priceMoves.ofProduct(productId, MAX_RUNS)
  return runs.map((run) => ({ ...run, operator: operatorShownTo(role, run.operator) }))
}

type TakeBack = SentForm & { readonly group: string; readonly from: Instant }

/**
 * Begins to take an announced price of a product's services back by a form of the console, and writes the audit log. A background job goes
 * on with it.
 */
export async function takeBackPrices(
  services: ConsoleServices,
  actor: Actor,
  { productId, reason, formKey, proof, seen, group, from }: TakeBack,
): Promise<Outcome<null>> {
  const kept = keptIn({ productId, reason, from, group })
  const wrong = kept === null ? "no-effect" : await problemOf(services, { productId, reason, seen })
  const request = {
    action: "keep-price",
    subject: subjectOf(productId),
    reason,
    formKey,
    proof,
    problem: wrong,
  } as const
  const outcome = await runOperatorForm(services, actor, request, async () => {
    const run = kept === null ? null : returnIn(kept, begunBy(services, actor, seen))
    const wrongNow = await begunRun(services, run, "day-come")
    return { after: { group, from, run: run?.id, result: wrongNow ?? "begun" }, value: wrongNow }
  })
  return withProblem(outcome)
}

/** Null: no page of ours has such a form. */
function keptIn({
  productId,
  group: name,
  from,
  reason,
}: Omit<TakeBack, "formKey" | "proof" | "seen">): ProductReturn | null {
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
