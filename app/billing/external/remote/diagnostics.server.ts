import { BillingError } from "~/billing/billing"
import type { Diagnostic } from "~/billing/diagnostic"
import { type Instant, MINUTE, SECOND } from "~/domain/calendar"
import { cycles } from "~/domain/catalogue/billing-cycle"
import { type Currency, currencies } from "~/domain/money/money"
import { gatewayIds } from "~/domain/payments/gateway-id"
import { isUnauthorized, type RemoteCall } from "./api-client.server"
import type { RemoteCatalogue } from "./catalogue.server"
import type { RemoteProduct } from "./product-schema"
import { calls } from "./remote-calls"

/** Maximum clock difference in milliseconds; a larger one makes deadlines wrong. */
const TOLERATED = MINUTE

export type DiagnosticsContext = {
  readonly remoteCall: RemoteCall
  readonly catalogue: RemoteCatalogue
  readonly resellerCredits: ReadonlyMap<string, number>
  /** The shop's currency (`CURRENCY`). */
  readonly currency: Currency
  /** `Date` header of the last response; null: none. */
  readonly remoteTime: () => Instant | null
}

/** Checks the configured server for the operator. Throws no `BillingError`: a failed call is a diagnostic. */
export async function remoteDiagnostics(
  context: DiagnosticsContext,
  now: Instant,
): Promise<readonly Diagnostic[]> {
  const { catalogue, remoteTime } = context
  const plans = await tried(catalogue.plans())
  if (plans instanceof BillingError) return notOpen(plans)
  const clock = clockDiagnostic(remoteTime(), now)
  const others = [fieldsOf(context, plans), resellersOf(context), gatewaysOf(context)]
  return [
    diagnostic(true, "server", "reachable"),
    diagnostic(plans.length > 0, "plans", listed(plans.map(({ name }) => name))),
    currencyFinding(pricedIn(plans), context),
    ...(await Promise.all(others)).flat(),
    clock,
  ]
}

function currencyFinding(priced: readonly Currency[], { currency }: DiagnosticsContext): Diagnostic {
  if (priced.includes(currency)) return diagnostic(true, "currencies", listed(priced))
  return diagnostic(
    false,
    "currencies",
    `no plan has a price in ${currency}, which is CURRENCY: ${listed(priced)}`,
  )
}

function notOpen(error: BillingError): Diagnostic[] {
  if (!isUnauthorized(error)) return [diagnostic(false, "server", error.message)]
  return [diagnostic(true, "server", "reachable"), diagnostic(false, "key", `rejected: ${error.message}`)]
}

async function fieldsOf(
  { catalogue }: DiagnosticsContext,
  [plan]: readonly RemoteProduct[],
): Promise<Diagnostic[]> {
  if (!plan) return []
  const fields = await tried(catalogue.fields(plan.pid))
  if (fields instanceof BillingError) return [diagnostic(false, "custom fields", fields.message)]
  const missing = Object.entries(fields).flatMap(([name, id]) => (id === null ? [name] : []))
  const message = missing.length > 0 ? `not found: ${missing.join(", ")}` : "username and password found"
  return [diagnostic(missing.length === 0, "custom fields", message)]
}

async function resellersOf({ catalogue, resellerCredits }: DiagnosticsContext): Promise<Diagnostic[]> {
  const plans = await tried(catalogue.resellerPlans())
  if (plans instanceof BillingError) return [diagnostic(false, "reseller plans", plans.message)]
  const found = diagnostic(
    plans.length > 0 ? true : null,
    "reseller plans",
    listed(plans.map(({ name }) => name)),
  )
  const mute = plans.filter(({ pid, credits }) => credits === undefined && !resellerCredits.has(pid))
  if (mute.length === 0) return [found]
  const message = `unknown for ${listed(mute.map(({ pid, name }) => `${pid} (${name})`))}: set RESELLER_PLAN_CREDITS`
  return [found, diagnostic(false, "reseller credits", message)]
}

async function gatewaysOf({ remoteCall }: DiagnosticsContext): Promise<Diagnostic[]> {
  const result = await tried(remoteCall(calls.getGateway, {}))
  if (result instanceof BillingError) return [diagnostic(false, "gateways", result.message)]
  const modules = result.paymentmethods.map(({ module }) => module)
  const { extras } = result
  return [
    gatewayFinding(modules),
    ...(extras
      ? [diagnostic(true, "key", "accepted"), diagnostic(true, "extras", listed(extras))]
      : [diagnostic(null, "extras", "none: older server, may not check the key")]),
  ]
}

/** The shop offers only modules that it knows. */
function gatewayFinding(modules: readonly string[]): Diagnostic {
  const isUsable = gatewayIds.some((id) => modules.includes(id))
  const unusable = modules.length === 0 ? "none" : `none of ${listed(gatewayIds)}: ${listed(modules)}`
  return diagnostic(isUsable, "gateways", isUsable ? listed(modules) : unusable)
}

function clockDiagnostic(remote: Instant | null, now: Instant): Diagnostic {
  if (remote === null) return diagnostic(null, "clock", "the server sends no Date header")
  const apart = Math.abs(remote - now)
  return diagnostic(apart <= TOLERATED, "clock", `${Math.round(apart / SECOND)} s off`)
}

/** Currencies in which at least one plan has a price. */
function pricedIn(plans: readonly RemoteProduct[]): readonly Currency[] {
  return currencies.filter((currency) =>
    plans.some(({ pricing }) => cycles.some((cycle) => pricing[currency]?.[cycle] !== undefined)),
  )
}

function diagnostic(ok: boolean | null, check: string, message: string): Diagnostic {
  return { ok, check, message }
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.join(", ")
}

async function tried<T>(call: Promise<T>): Promise<T | BillingError> {
  try {
    return await call
  } catch (error) {
    if (error instanceof BillingError) return error
    throw error
  }
}
