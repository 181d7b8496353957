import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { billingContract } from "../../../tests/contracts/billing/billing-contract"
import { createEmbeddedBilling } from "../../../tests/contracts/billing/embedded-billing"

billingContract("SQLite", async (shelf) => {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-books-"))
  const books = await createEmbeddedBilling(join(folder, "boxoffice.db"), shelf)
  const close = async () => {
    await books.close()
    rmSync(folder, { recursive: true })
  }
  return { ...books, close }
})
