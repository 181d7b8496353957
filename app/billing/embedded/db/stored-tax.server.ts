import type { OrderTax, TaxAtRate } from "~/domain/orders/order-tax"

/**
 * The tax of an order as the column `orders.tax` has it; null: the order has none. Not validated again: only this engine writes the
 * column, from an `OrderTax`, whose members are added as optional ones so that rows of earlier versions are still of the type.
 */
export function parseOrderTax(json: string): OrderTax
export function parseOrderTax(json: string | null): OrderTax | null
export function parseOrderTax(json: string | null): OrderTax | null {
  return json === null ? null : (JSON.parse(json) as OrderTax)
}

/** The tax that an external billing system stated, as the column `orders.external_tax` has it. Its adapters have validated it. */
export function parseExternalTax(json: string): readonly TaxAtRate[] {
  return JSON.parse(json) as readonly TaxAtRate[]
}
