import { afterEach, beforeEach, describe } from "vitest"
import { accessScopeContract } from "./billing-access-scope"
import { catalogueContract } from "./billing-catalogue"
import { customerCreditContract } from "./billing-customer-credit"
import { customersContract } from "./billing-customers"
import { type BillingUnderTest, type CatalogueFixture, catalogueFixture } from "./billing-fixtures"
import { visitsContract } from "./billing-fraud-and-affiliates"
import { changesOfMindContract } from "./billing-gateway-change"
import { heldOrdersContract } from "./billing-held-orders"
import { jobsContract } from "./billing-jobs"
import { ordersContract } from "./billing-orders"
import { paymentsContract } from "./billing-payments"
import { refundContract } from "./billing-refunds"
import { resellerAccountsContract } from "./billing-reseller-accounts"
import { resellersContract } from "./billing-resellers"
import { retentionContract } from "./billing-retention"
import { servicesContract } from "./billing-services"
import { sessionsContract } from "./billing-sessions"
import { settlementContract } from "./billing-settlement"
import { endingsContract } from "./billing-termination"
import { upsellContract } from "./billing-upsell"

/** Everything whoever keeps the books promises; `open` gives fresh ones, stocked with a shelf. */
export function billingContract(
  keeper: string,
  open: (shelf: CatalogueFixture) => Promise<BillingUnderTest>,
): void {
  describe(`${keeper} keeps the books`, () => {
    let fresh: BillingUnderTest
    beforeEach(async () => {
      fresh = await open(catalogueFixture)
    })
    afterEach(() => fresh.close())

    const books = () => fresh
    catalogueContract(books)
    customersContract(books)
    sessionsContract(books)
    visitsContract(books)
    heldOrdersContract(books)
    ordersContract(books)
    paymentsContract(books)
    settlementContract(books)
    customerCreditContract(books)
    refundContract(books)
    changesOfMindContract(books)
    jobsContract(books)
    servicesContract(books)
    endingsContract(books)
    upsellContract(books)
    resellerAccountsContract(books)
    resellersContract(books)
    accessScopeContract(books)
    retentionContract(books)
  })
}
