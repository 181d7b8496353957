import { billingContract } from "../../../../tests/contracts/billing/billing-contract"
import { NOON } from "../../../../tests/contracts/billing/billing-fixtures"
import { openMirrorUnderTest } from "../../../../tests/contracts/billing/mirror"
import { startWhmcs } from "../../../../tests/fakes/whmcs-simulator/start"
import { settingsFor } from "../../../../tests/fixtures/whmcs-shop"
import { openWhmcs } from "./whmcs.server"

billingContract("WHMCS, and we beside it,", async (catalogue) => {
  // The unit tests run with plain texts, the deep tests with encoded ones; here it is the harder form.
  const texts = "encoded"
  // What is paid is set up by our word alone, which is what the contract is about.
  const whmcs = await startWhmcs({ catalogue, texts, now: () => NOON, autosetup: "", fieldNames: [] })
  const backend = await openMirrorUnderTest(() => openWhmcs(settingsFor(whmcs)))
  const close = async () => {
    await backend.close()
    await whmcs.close()
  }
  return { ...backend, close }
})
