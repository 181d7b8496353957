import type { NeedQuery } from "~/billing/console-overview"
import { isAnyOffered } from "~/billing/payments/gateway-drains"
import type { DbContext } from "../../db/transaction.server"
import { gatewayDrains } from "../../payments/gateway-drains.server"
import type { FoundNeed } from "./found-need"

/** All that are enabled are drained: no visitor can buy. Since the last one was. */
export async function noGateway(
  ctx: DbContext,
  { enabledGateways: enabled }: NeedQuery,
): Promise<readonly FoundNeed[]> {
  if (enabled.length === 0) return []
  const drains = await gatewayDrains(ctx)
  if (isAnyOffered(enabled, drains)) return []
  const since = Math.max(...drains.filter((it) => enabled.includes(it.gateway)).map((it) => it.since))
  const [kind, detail] = ["no-gateway" as const, enabled.join(", ")]
  return [{ key: kind, kind, since, orderId: null, amount: null, detail, count: enabled.length }]
}

/** A gateway that fails. */
export function gatewayDown({ id, since }: NeedQuery["down"][number]): FoundNeed {
  return {
    key: `gateway ${id}`,
    kind: "gateway-down",
    since,
    orderId: null,
    amount: null,
    detail: id,
    count: 1,
  }
}

/** Fields of the shop file that the shop does not know. */
export function unknownFields({ unknownShopFields, now: since }: NeedQuery): readonly FoundNeed[] {
  if (unknownShopFields.length === 0) return []
  const [kind, detail] = ["shop-file" as const, unknownShopFields.join(", ")]
  return [{ key: kind, kind, since, orderId: null, amount: null, detail, count: unknownShopFields.length }]
}

/** Currencies whose exchange rate for the accounts is missing. */
export function missingRates({ currenciesWithoutRate, now: since }: NeedQuery): readonly FoundNeed[] {
  if (currenciesWithoutRate.length === 0) return []
  const [kind, detail] = ["exchange-rate" as const, currenciesWithoutRate.join(", ")]
  return [
    { key: kind, kind, since, orderId: null, amount: null, detail, count: currenciesWithoutRate.length },
  ]
}
