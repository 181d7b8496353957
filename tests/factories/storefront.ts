import { openRemote } from "~/billing/remote/remote.server"
import { NOON, type Shelf } from "../contracts/billing-fixtures"
import { booksBeside } from "../contracts/books-beside"
import { embeddedBooks } from "../contracts/embedded-books"
import { remoteSettings } from "../mocks/old-billing-orders"
import { API_KEY, serveBillingApi } from "./billing-api"
import { openTestShop } from "./shop"

/** Books with a shelf, served as the billing API, and a storefront's own books beside them. */
export async function openStorefront(
  shelf: Shelf,
  through: (url: string) => Promise<string> = async (url) => url,
) {
  const books = await embeddedBooks(":memory:", shelf)
  const { services } = await openTestShop()
  const { billing, till, outbox } = books
  const catalogue = { ...services.catalogue, ...billing }
  // They look at visitors by their own clock, which stands still here.
  const shop = { ...services.shop, fraudCheck: false }
  const served = await serveBillingApi({
    ...services,
    shop,
    billing,
    till,
    outbox,
    catalogue,
    now: () => NOON,
  })
  const url = await through(served.url)
  const storefront = await booksBeside((ours) =>
    openRemote({ ...{ ...remoteSettings, ...ours }, timeoutMs: 30_000, keys: [API_KEY], url }),
  )
  return {
    ...{ books, served, storefront },
    async close() {
      await storefront.close()
      await served.close()
      await books.close()
    },
  }
}
