import type { Billing } from "~/billing/billing"
import type { Product } from "~/domain/catalogue"

/** All products, for viewers and for resellers: what either has bought can be extended. */
export async function productsOnSale(
  priceList: Pick<Billing, "plans" | "resellerPlans">,
): Promise<readonly Product[]> {
  const [plans, resellers] = await Promise.all([priceList.plans(), priceList.resellerPlans()])
  return [...plans, ...resellers]
}
