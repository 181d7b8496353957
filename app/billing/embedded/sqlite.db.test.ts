import { rmSync } from "node:fs"
import { join } from "node:path"
import { billingContract } from "../../../tests/contracts/billing/billing-contract"
import { createEmbeddedBilling } from "../../../tests/contracts/billing/embedded-billing"
import { writeMigratedDatabase } from "../../../tests/support/db/migrated-sqlite"
import { temporaryFolder } from "../../../tests/support/temporary-folder"

billingContract(
  "SQLite",
  async (catalogue) => {
    const folder = temporaryFolder()
    const file = join(folder, "boxoffice.db")
    await writeMigratedDatabase(file)
    const backend = await createEmbeddedBilling(file, catalogue)
    const close = async () => {
      await backend.close()
      rmSync(folder, { recursive: true })
    }
    return { ...backend, close }
  },
  { terms: true },
)
