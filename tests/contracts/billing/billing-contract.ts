import { afterEach, beforeEach, describe } from "vitest"
import { accessScopeContract } from "./billing-access-scope"
import { catalogueContract } from "./billing-catalogue"
import { customerCreditContract } from "./billing-customer-credit"
import { customersContract } from "./billing-customers"
import { type BillingUnderTest, type CatalogueFixture, catalogueFixture } from "./billing-fixtures"
import { fraudAndAffiliatesContract } from "./billing-fraud-and-affiliates"
import { changesOfMindContract } from "./billing-gateway-change"
import { heldOrdersContract } from "./billing-held-orders"
import { jobsContract } from "./billing-jobs"
import { orderRefundContract } from "./billing-order-refunds"
import { ordersContract } from "./billing-orders"
import { paymentsContract } from "./billing-payments"
import { refundContract } from "./billing-refunds"
import { renewalsContract } from "./billing-renewals"
import { resellerAccountsContract } from "./billing-reseller-accounts"
import { resellersContract } from "./billing-resellers"
import { retentionContract } from "./billing-retention"
import { servicesContract } from "./billing-services"
import { sessionsContract } from "./billing-sessions"
import { settlementContract } from "./billing-settlement"
import { signInRequestsContract } from "./billing-sign-in-requests"
import { endingsContract } from "./billing-termination"
import { topUpsContract } from "./billing-top-ups"
import { upsellContract } from "./billing-upsell"

/**
 * Everything that a billing backend promises. `open` returns a fresh one with the catalogue of the fixtures. `terms`: it keeps
 * the terms of services itself. `credit`: it has the customers' account credit; an external billing that takes the payments has its own.
 */
export function billingContract(
  billingSetup: string,
  open: (catalogue: CatalogueFixture) => Promise<BillingUnderTest>,
  { terms, credit = true }: { terms: boolean; credit?: boolean },
): void {
  describe(`${billingSetup} fulfils the billing contract`, () => {
    let fresh: BillingUnderTest
    beforeEach(async () => {
      fresh = await open(catalogueFixture)
    })
    afterEach(() => fresh.close())

    const backend = () => fresh
    catalogueContract(backend)
    customersContract(backend)
    sessionsContract(backend)
    signInRequestsContract(backend)
    fraudAndAffiliatesContract(backend)
    heldOrdersContract(backend, { credit })
    ordersContract(backend)
    paymentsContract(backend)
    settlementContract(backend)
    if (credit) customerCreditContract(backend)
    refundContract(backend, { credit })
    orderRefundContract(backend, { credit })
    changesOfMindContract(backend)
    jobsContract(backend)
    servicesContract(backend)
    endingsContract(backend)
    upsellContract(backend)
    renewalsContract(backend, { terms })
    topUpsContract(backend, { terms })
    resellerAccountsContract(backend)
    resellersContract(backend)
    accessScopeContract(backend)
    retentionContract(backend)
  })
}
