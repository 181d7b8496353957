import type { Catalogue } from "~/billing/catalogue/catalogue"
import type { Product } from "~/domain/catalogue/catalogue"

/** All products for viewers and resellers, since services of both can have upsells. */
export async function productsOnSale(
  priceList: Pick<Catalogue, "plans" | "resellerPlans">,
): Promise<readonly Product[]> {
  const [plans, resellers] = await Promise.all([priceList.plans(), priceList.resellerPlans()])
  return [...plans, ...resellers]
}
