import type { Diagnostic } from "~/billing/diagnostic"
import type { OperatorRepository } from "~/billing/operators/operators"
import { type GatewayDrain, isAnyOffered } from "~/billing/payments/gateway-drains"
import type { PresentTax, TaxAdmin } from "~/billing/tax-admin"
import type { WebhookEndpoint, WebhookRepository } from "~/billing/webhook-repository"
import type { ConsoleServices } from "~/context/services.server"
import { DAY, dayIn, type Instant } from "~/domain/calendar"
import { localText } from "~/domain/local-time"
import type { Money } from "~/domain/money/money"
import { countsFrom } from "~/domain/operators/approval"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { offersWithdrawal } from "~/domain/shop/country-law"
import type { Legal } from "~/domain/shop/legal"
import { TAX_TABLE_OF } from "~/domain/tax/tax-table"
import { productsOnSale } from "~/flows/services/all-products.server"
import { diagnoseNumbers } from "../accounting/continue-numbers.server"
import { diagnoseExchangeRates } from "../tax/diagnose-exchange-rates.server"
import { diagnoseSecrets } from "./re-encrypt-secrets.server"

const YEAR = 365 * DAY

/** Without a contact no page tells a customer to ask support. */
export function diagnoseSupport(support: string | null): Diagnostic {
  const check = "support"
  if (support !== null) return { ok: null, check, message: support }
  return { ok: null, check, message: "no contact is shown: set links.support in SHOP_FILE" }
}

/** Only draining refuses the last gateway: after a restart with fewer GATEWAYS all of them may be drained. */
export function diagnoseOffer(
  enabled: readonly GatewayId[],
  drains: readonly GatewayDrain[],
): readonly Diagnostic[] {
  if (isAnyOffered(enabled, drains)) return []
  const message = `none is offered, and nothing can be bought: ${enabled.join(", ")} is drained. Use "gateways offer", or add another to GATEWAYS`
  return [{ ok: false, check: "payment methods", message }]
}

/** A shop with "taxes" in its file sells without tax. `unknown`: places of fields that nothing reads. */
export function diagnoseShopFile(unknown: readonly string[]): readonly Diagnostic[] {
  if (unknown.length === 0) return []
  const message = `ignored, because the shop knows no such field: ${unknown.join(", ")}. Correct the name or remove it`
  return [{ ok: false, check: "shop file", message }]
}

/** A withdrawal has to be acknowledged by mail. `mailsOrders`: buyers get mail about their orders. */
export function diagnoseWithdrawals(law: Legal["law"], mailsOrders: boolean): readonly Diagnostic[] {
  if (!offersWithdrawal(law)) return []
  const message = mailsOrders
    ? "acknowledged by mail"
    : "not acknowledged: set SMTP_URL and MAIL_FROM, and MAIL_ORDERS to on"
  return [{ ok: mailsOrders, check: "withdrawals", message }]
}

/** Rates change: whoever sells by those of an old table sells wrongly. */
export function diagnoseTax(
  { content, source, latest }: PresentTax,
  { timeZone, now }: { readonly timeZone: string; readonly now: Instant },
): readonly Diagnostic[] {
  const check = "tax"
  const isOfFile = source === "file"
  if (content === null || (isOfFile && content.confirmedOn === null)) return []
  const { confirmedOn, registrations } = content
  const rules = isOfFile ? "the rules of SHOP_FILE" : `the rules of the console, version ${latest}`
  if (confirmedOn === null)
    return [{ ok: null, check, message: `nothing is taxed: ${rules}, are switched off (tax confirm)` }]
  if (registrations.length === 0)
    return [{ ok: false, check, message: `nothing is taxed: ${rules}, have no registration` }]
  if (confirmedOn > dayIn(timeZone, now - YEAR))
    return [{ ok: true, check, message: `rates confirmed on ${confirmedOn} (${rules})` }]
  const then = isOfFile ? "set tax.confirmedOn in SHOP_FILE" : "tax confirm"
  const message = `the rates were confirmed on ${confirmedOn}, more than a year ago (${rules}; the table that is shipped is of ${TAX_TABLE_OF}): check them, then ${then}`
  return [{ ok: false, check, message }]
}

/** An endpoint that the shop has paused does not go on by itself. */
export async function diagnoseWebhooks(
  webhooks: Pick<WebhookRepository, "endpoints">,
): Promise<readonly Diagnostic[]> {
  return (await webhooks.endpoints()).map(diagnoseWebhook)
}

function diagnoseWebhook({ id, url, state, pauseReason }: WebhookEndpoint): Diagnostic {
  const check = "webhooks"
  const receiver = `${id} (${new URL(url).host})`
  if (state === "active") return { ok: true, check, message: `${receiver} gets events` }
  const ok = pauseReason === "operator" ? null : false
  const message = `${receiver} is paused (${pauseReason}): mend the receiver, then webhooks resume ${id}`
  return { ok, check, message }
}

/**
 * What one owner asks for in the console nobody else can confirm there, nor can one whose access is new. `limit`: `APPROVE_ABOVE`.
 */
export async function diagnoseSecondOperator(
  operators: Pick<OperatorRepository, "list">,
  { limit, now }: { readonly limit: Money | null; readonly now: Instant },
): Promise<readonly Diagnostic[]> {
  if (limit === null) return []
  const owners = (await operators.list()).filter(
    ({ role, disabledAt, isSetUp }) => role === "owner" && disabledAt === null && isSetUp,
  )
  const check = "second operator"
  const times = owners.map(countsFrom).toSorted((one, other) => one - other)
  const [, second] = times
  if (second === undefined) {
    const message = `APPROVE_ABOVE is set, and ${owners.length === 1 ? "only one owner can" : "no owner can"} sign in: add another with "operators add EMAIL --role owner"`
    return [{ ok: false, check, message }]
  }
  const confirming = times.filter((it) => it <= now).length
  if (second <= now)
    return [{ ok: true, check, message: `${confirming} owners can confirm what another has asked for` }]
  const message = `APPROVE_ABOVE is set, and ${confirming === 1 ? "only one owner can" : "no owner can"} confirm until ${localText(second, "UTC")} UTC, when the access of another is 3 days old`
  return [{ ok: null, check, message }]
}

type TaxFound = Pick<ConsoleServices, "catalogue"> & { readonly timeZone: string; readonly now: Instant }

async function taxFindings(
  tax: TaxAdmin,
  { catalogue, timeZone, now }: TaxFound,
): Promise<readonly Diagnostic[]> {
  const [present, products] = await Promise.all([tax.present(), productsOnSale(catalogue)])
  return [
    ...diagnoseTax(present, { timeZone, now }),
    ...diagnoseExchangeRates(present, products, dayIn(timeZone, now)),
  ]
}

/** The findings of `doctor` that take no time to find: the others add up all money, or ask other systems. */
export async function diagnoseShop({
  shop,
  console,
  webhooks,
  enabledGateways,
  catalogue,
  now,
}: ConsoleServices): Promise<readonly Diagnostic[]> {
  const { links, legal, timeZone, mailsOrders } = shop
  return [
    diagnoseSupport(links.support),
    ...diagnoseShopFile(console.unknownShopFields),
    ...diagnoseOffer(enabledGateways, await console.drains.list()),
    ...diagnoseWithdrawals(legal.law, mailsOrders),
    ...(console.tax ? await taxFindings(console.tax, { catalogue, timeZone, now: now() }) : []),
    ...(await diagnoseWebhooks(webhooks)),
    ...(await diagnoseSecrets(console)),
    ...(await diagnoseNumbers(console, now())),
    ...(await diagnoseSecondOperator(console.operators, { limit: console.approveAbove, now: now() })),
  ]
}
