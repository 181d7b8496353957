import { billingContract } from "../../../../tests/contracts/billing/billing-contract"
import { openStorefront } from "../../../../tests/fixtures/remote-storefront"

billingContract(
  "The mirror of a billing API server",
  async (catalogue) => {
    const { storefront, close } = await openStorefront(catalogue)
    return { ...storefront, close }
  },
  { terms: false, credit: false },
)
