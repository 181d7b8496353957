import type { Config } from "~/config/environment.server"
import { fromDecimal, type Money } from "~/domain/money/money"

/** Amount above which a second operator confirms (`APPROVE_ABOVE`); null: none has to. */
export function approvalLimitOf({ APPROVE_ABOVE: limit, CURRENCY: currency }: Config): Money | null {
  return limit === undefined ? null : fromDecimal(limit, currency)
}
