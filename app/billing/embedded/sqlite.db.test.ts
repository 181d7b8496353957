import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { billingContract } from "../../../tests/contracts/billing/billing-contract"
import { embeddedBooks } from "../../../tests/contracts/billing/embedded-billing"

billingContract("SQLite", async (shelf) => {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-books-"))
  const books = await embeddedBooks(join(folder, "books.db"), shelf)
  const close = async () => {
    await books.close()
    rmSync(folder, { recursive: true })
  }
  return { ...books, close }
})
