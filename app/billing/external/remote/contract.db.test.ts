import { billingContract } from "../../../../tests/contracts/billing/billing-contract"
import { openStorefront } from "../../../../tests/fixtures/remote-storefront"

billingContract("A server with the billing API, and we beside it,", async (catalogue) => {
  const { storefront, close } = await openStorefront(catalogue)
  return { ...storefront, close }
})
