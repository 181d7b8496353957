import { type EmbeddedBilling, openEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import { type BillingUnderTest, type CatalogueFixture, unique } from "./billing-fixtures"

export type SeedableBilling = BillingUnderTest & EmbeddedBilling & { restock(): Promise<void> }

/** The embedded books on a database, as the contract wants them. */
export async function createEmbeddedBilling(
  databaseUrl: string,
  shelf: CatalogueFixture,
): Promise<SeedableBilling> {
  const promotions = shelf.promotions.map(({ remainingUses, ...listed }) => ({
    ...listed,
    maxUses: remainingUses,
  }))
  const file = { products: shelf.products, promotions }
  const catalogue = async () => file
  const billing = await openEmbeddedBilling({ databaseUrl, timeoutMs: 10_000, newId: unique, catalogue })
  return {
    ...billing,
    restock: () => billing.operator.importCatalogue(file),
    ledger: async (orderId) => {
      const shown = await billing.operator.order(orderId)
      const received = shown?.movements ?? []
      return { received: received.map(({ amount }) => amount), credit: shown?.credit ?? [] }
    },
  }
}
