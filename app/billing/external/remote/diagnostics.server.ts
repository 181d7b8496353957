import { BillingError } from "~/billing/billing"
import type { Diagnostic } from "~/billing/diagnostic"
import { cycles } from "~/domain/billing-cycle"
import { type Instant, MINUTE, SECOND } from "~/domain/calendar"
import { type Currency, currencies } from "~/domain/money"
import { isUnauthorized, type RemoteCall } from "./api-client.server"
import type { RemoteCatalogue } from "./catalogue.server"
import { calls } from "./endpoints"
import type { RemoteProduct } from "./product-schema"

/** Clocks that differ by more make deadlines wrong. */
const TOLERATED = MINUTE

export type Examining = {
  readonly ask: RemoteCall
  readonly shelf: RemoteCatalogue
  readonly resellerCredits: ReadonlyMap<string, number>
  /** The shop's own (`CURRENCY`). */
  readonly currency: Currency
  /** The time they had when they answered last; null: they do not say. */
  readonly theirTime: () => Instant | null
}

/** What an operator wants to know of the server he has named. Throws nothing. */
export async function examination(examining: Examining, now: Instant): Promise<readonly Diagnostic[]> {
  const { shelf, theirTime } = examining
  const plans = await tried(shelf.plans())
  if (plans instanceof BillingError) return notOpen(plans)
  const clock = clockFinding(theirTime(), now)
  const others = [fieldsOf(examining, plans), resellersOf(examining), gatewaysOf(examining)]
  return [
    finding(true, "server", "answers"),
    finding(plans.length > 0, "plans", listed(plans.map(({ name }) => name))),
    currencyFinding(pricedIn(plans), examining),
    ...(await Promise.all(others)).flat(),
    clock,
  ]
}

function currencyFinding(priced: readonly Currency[], { currency }: Examining): Diagnostic {
  if (priced.includes(currency)) return finding(true, "currencies", listed(priced))
  return finding(
    false,
    "currencies",
    `no plan has a price in ${currency}, which is CURRENCY: ${listed(priced)}`,
  )
}

function notOpen(error: BillingError): Diagnostic[] {
  if (!isUnauthorized(error)) return [finding(false, "server", error.message)]
  return [finding(true, "server", "answers"), finding(false, "key", `is not accepted: ${error.message}`)]
}

async function fieldsOf({ shelf }: Examining, [plan]: readonly RemoteProduct[]): Promise<Diagnostic[]> {
  if (!plan) return []
  const fields = await tried(shelf.fields(plan.pid))
  if (fields instanceof BillingError) return [finding(false, "custom fields", fields.message)]
  const missing = Object.entries(fields).flatMap(([name, id]) => (id === null ? [name] : []))
  const message =
    missing.length > 0 ? `none is called ${missing.join(" or ")}` : "username and password found"
  return [finding(missing.length === 0, "custom fields", message)]
}

async function resellersOf({ shelf, resellerCredits }: Examining): Promise<Diagnostic[]> {
  const plans = await tried(shelf.resellerPlans())
  if (plans instanceof BillingError) return [finding(false, "reseller plans", plans.message)]
  const found = finding(
    plans.length > 0 ? true : null,
    "reseller plans",
    listed(plans.map(({ name }) => name)),
  )
  const mute = plans.filter(({ pid, credits }) => credits === undefined && !resellerCredits.has(pid))
  if (mute.length === 0) return [found]
  const message = `not known for ${listed(mute.map(({ pid, name }) => `${pid} (${name})`))}: set RESELLER_PLAN_CREDITS`
  return [found, finding(false, "reseller credits", message)]
}

async function gatewaysOf({ ask }: Examining): Promise<Diagnostic[]> {
  const told = await tried(ask(calls.getGateway, {}))
  if (told instanceof BillingError) return [finding(false, "gateways", told.message)]
  const modules = told.paymentmethods.map(({ module }) => module)
  const { extras } = told
  return [
    finding(modules.length > 0, "gateways", listed(modules)),
    ...(extras
      ? [finding(true, "key", "is accepted"), finding(true, "extras", listed(extras))]
      : [finding(null, "extras", "none: an older server, which need not look at the key either")]),
  ]
}

function clockFinding(theirs: Instant | null, now: Instant): Diagnostic {
  if (theirs === null) return finding(null, "clock", "they do not say what time it is")
  const apart = Math.abs(theirs - now)
  return finding(apart <= TOLERATED, "clock", `${Math.round(apart / SECOND)} s apart`)
}

/** Currencies that something is sold in. */
function pricedIn(plans: readonly RemoteProduct[]): readonly Currency[] {
  return currencies.filter((currency) =>
    plans.some(({ pricing }) => cycles.some((cycle) => pricing[currency]?.[cycle] !== undefined)),
  )
}

function finding(ok: boolean | null, check: string, message: string): Diagnostic {
  return { ok, check, message }
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.join(", ")
}

async function tried<T>(asked: Promise<T>): Promise<T | BillingError> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof BillingError) return error
    throw error
  }
}
