import { type EmbeddedBilling, openEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import { type BillingUnderTest, type CatalogueFixture, unique } from "./billing-fixtures"

export type RestockableBooks = BillingUnderTest & EmbeddedBilling & { restock(): Promise<void> }

/** The embedded books on a database, as the contract wants them. */
export async function createEmbeddedBilling(
  databaseUrl: string,
  shelf: CatalogueFixture,
): Promise<RestockableBooks> {
  const promotions = shelf.promotions.map(({ remainingUses, ...listed }) => ({
    ...listed,
    maxUses: remainingUses,
  }))
  const file = { products: shelf.products, promotions }
  const catalogue = async () => file
  const books = await openEmbeddedBilling({ databaseUrl, timeoutMs: 10_000, newId: unique, catalogue })
  return {
    ...books,
    restock: () => books.operator.importCatalogue(file),
    ledger: async (orderId) => {
      const shown = await books.operator.order(orderId)
      const received = shown?.movements ?? []
      return { received: received.map(({ amount }) => amount), credit: shown?.credit ?? [] }
    },
  }
}
