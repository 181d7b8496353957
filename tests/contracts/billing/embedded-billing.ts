import { seedIfEmpty } from "~/billing/embedded/catalogue/catalogue.server"
import type { CatalogueFile } from "~/billing/embedded/catalogue/catalogue-file"
import * as embedded from "~/billing/embedded/open-embedded-billing.server"
import type { TaxPolicy } from "~/billing/tax-policy"
import { termPolicy } from "../../fixtures/term-policy"
import { openMigratedMemoryDatabase } from "../../support/db/migrated-sqlite"
import { type BillingUnderTest, type CatalogueFixture, catalogueForImport, unique } from "./billing-fixtures"

export type SeedableBilling = BillingUnderTest & embedded.EmbeddedBilling & { restock(): Promise<void> }

/** Opens the embedded billing engine on a database, as the contract needs it. */
export async function createEmbeddedBilling(
  databaseUrl: string,
  catalogue: CatalogueFixture,
  tax?: TaxPolicy,
): Promise<SeedableBilling> {
  const file = catalogueForImport(catalogue)
  const billing = await (databaseUrl === ":memory:"
    ? openInMemory(file, tax)
    : openAt(databaseUrl, file, tax))
  return {
    ...billing,
    restock: () => billing.operator.importCatalogue(file),
    ledger: async (orderId) => {
      const shown = await billing.operator.order(orderId)
      const received = shown?.movements ?? []
      return { received: received.map(({ amount }) => amount), credit: shown?.accountCredit ?? [] }
    },
  }
}

async function openInMemory(file: CatalogueFile, tax?: TaxPolicy): Promise<embedded.EmbeddedBilling> {
  const ctx = { db: await openMigratedMemoryDatabase(), newId: unique, terms: termPolicy, tax }
  await seedIfEmpty(ctx, async () => file)
  return embedded.createEmbeddedBilling(ctx)
}

function openAt(
  databaseUrl: string,
  file: CatalogueFile,
  tax?: TaxPolicy,
): Promise<embedded.EmbeddedBilling> {
  const catalogue = async () => file
  return embedded.openEmbeddedBilling({
    databaseUrl,
    timeoutMs: 10_000,
    newId: unique,
    catalogue,
    terms: termPolicy,
    tax,
  })
}
