import { type EmbeddedBooks, openEmbeddedBooks } from "~/billing/embedded/open-embedded-billing.server"
import { type BooksUnderTest, type Shelf, unique } from "./billing-fixtures"

export type RestockableBooks = BooksUnderTest & EmbeddedBooks & { restock(): Promise<void> }

/** The embedded books on a database, as the contract wants them. */
export async function embeddedBooks(databaseUrl: string, shelf: Shelf): Promise<RestockableBooks> {
  const promotions = shelf.promotions.map(({ usesLeft, ...listed }) => ({ ...listed, maxUses: usesLeft }))
  const file = { products: shelf.products, promotions }
  const catalogue = async () => file
  const books = await openEmbeddedBooks({ databaseUrl, timeoutMs: 10_000, newId: unique, catalogue })
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
