import { billingContract } from "../../../../tests/contracts/billing/billing-contract"
import { NOON } from "../../../../tests/contracts/billing/billing-fixtures"
import { openMirrorUnderTest } from "../../../../tests/contracts/billing/mirror"
import { startWhmcs } from "../../../../tests/fakes/whmcs-simulator/start"
import { settingsFor } from "../../../../tests/fixtures/whmcs-shop"
import { openWhmcs } from "./whmcs.server"

billingContract(
  "WHMCS with the mirror",
  async (catalogue) => {
    // The unit tests use plain texts, so this contract uses HTML-encoded ones.
    const texts = "encoded"
    // Without WHMCS's automatic set-up, only the shop's calls provision a paid service, as the contract expects.
    const whmcs = await startWhmcs({ catalogue, texts, now: () => NOON, autosetup: "", fieldNames: [] })
    const backend = await openMirrorUnderTest(() => openWhmcs(settingsFor(whmcs)))
    const close = async () => {
      await backend.close()
      await whmcs.close()
    }
    return { ...backend, close }
  },
  { terms: false },
)
