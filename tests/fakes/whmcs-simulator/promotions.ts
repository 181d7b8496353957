import { NO_DAY } from "./clock"
import { type Action, type Installation, SUCCESS, sameText } from "./installation"
import { decimal, text } from "./params"
import { List, type WhmcsResponse } from "./responses"
import type { PromotionRow } from "./state"

const UPGRADES =
  'a:4:{s:5:"value";s:4:"0.00";s:4:"type";s:0:"";s:12:"discounttype";s:10:"Percentage";s:13:"configoptions";s:0:"";}'

export const getPromotions: Action = (installation, params) => {
  const code = text(params, "code")
  const matching = installation.state.promotions.filter((it) => code === "" || sameText(it.code, code))
  const promotions = new List(
    "promotion",
    matching.map((row) => promotionResponse(installation, row)),
  )
  return { ...SUCCESS, totalresults: matching.length, promotions }
}

function promotionResponse({ quirks }: Installation, row: PromotionRow): WhmcsResponse {
  return {
    id: row.id,
    code: row.code,
    type: row.type,
    recurring: row.recurring ? 1 : 0,
    value: quirks.numbers === "numbers" ? row.value / 100 : decimal(row.value),
    cycles: row.cycles.join(","),
    appliesto: row.appliesTo.join(","),
    requires: "",
    requiresexisting: 0,
    startdate: row.starts,
    expirationdate: row.expires,
    maxuses: row.maxUses,
    uses: row.uses,
    lifetimepromo: 0,
    applyonce: 0,
    newsignups: Number(row.newSignups ?? false),
    existingclient: 0,
    onceperclient: Number(row.oncePerClient ?? false),
    recurfor: 0,
    upgrades: 0,
    upgradeconfig: UPGRADES,
    notes: "",
  }
}

/** Returns the promotion that a client's order may use today; null for any other code, without a reason. */
export function usablePromotion(
  installation: Installation,
  code: string,
  clientId: number,
): PromotionRow | null {
  const row = installation.state.promotions.find((it) => code !== "" && sameText(it.code, code))
  if (!row || !isUsable(row, installation.clock.day())) return null
  return isForClient(installation, row, clientId) ? row : null
}

function isForClient({ state }: Installation, row: PromotionRow, clientId: number): boolean {
  const earlier = state.orders.filter((it) => it.clientId === clientId && it.status !== "Cancelled")
  if (row.newSignups && earlier.length > 0) return false
  return !row.oncePerClient || earlier.every(({ promotion }) => promotion?.code !== row.code)
}

function isUsable({ starts, expires, maxUses, uses }: PromotionRow, today: string): boolean {
  const started = starts === NO_DAY || today >= starts
  const lasts = expires === NO_DAY || today <= expires
  return started && lasts && (maxUses === 0 || uses < maxUses)
}

type Priced = { readonly price: number; readonly setup: number; readonly pid: string; readonly cycle: string }

/** Discount of a promotion on one product of an order. `rate`: hundred-thousandths of the default currency. */
export function takenOff(row: PromotionRow, { price, setup, pid, cycle }: Priced, rate: number): number {
  const holds = row.appliesTo.includes(pid) && (row.cycles.length === 0 || row.cycles.includes(cycle))
  if (!holds) return 0
  const whole = price + setup
  const inCurrency = Math.round((row.value * rate) / 100_000)
  const off: Record<PromotionRow["type"], number> = {
    Percentage: Math.floor((whole * row.value + 5_000) / 10_000),
    "Fixed Amount": inCurrency,
    "Price Override": price - inCurrency,
    "Free Setup": setup,
  }
  return Math.min(off[row.type], whole)
}
