import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { billingContract } from "../../../tests/contracts/billing/billing-contract"
import { createEmbeddedBilling } from "../../../tests/contracts/billing/embedded-billing"

billingContract("SQLite", async (shelf) => {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-books-"))
  const backend = await createEmbeddedBilling(join(folder, "boxoffice.db"), shelf)
  const close = async () => {
    await backend.close()
    rmSync(folder, { recursive: true })
  }
  return { ...backend, close }
})
