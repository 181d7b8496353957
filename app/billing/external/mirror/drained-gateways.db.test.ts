import { afterEach, beforeEach, expect, test } from "vitest"
import { openWhmcs } from "~/billing/external/whmcs/whmcs.server"
import { catalogueFixture, NOON } from "../../../../tests/contracts/billing/billing-fixtures"
import { type MirrorUnderTest, openMirrorUnderTest } from "../../../../tests/contracts/billing/mirror"
import { startWhmcs, type Whmcs } from "../../../../tests/fakes/whmcs-simulator/start"
import { settingsFor } from "../../../../tests/fixtures/whmcs-shop"

let whmcs: Whmcs
let shop: MirrorUnderTest
beforeEach(async () => {
  whmcs = await startWhmcs({ catalogue: catalogueFixture, now: () => NOON })
  shop = await openMirrorUnderTest(() => openWhmcs(settingsFor(whmcs)))
})
afterEach(async () => {
  await shop.close()
  await whmcs.close()
})

test("a gateway that WHMCS offers and an operator has drained is not offered", async () => {
  const offered = await shop.billing.gateways()
  expect(offered).toContain("coinbase")
  await shop.drains.drain("coinbase", { at: NOON, offered: ["offshore", "coinbase"] })
  expect(await shop.billing.gateways()).toEqual(offered.filter((id) => id !== "coinbase"))
})
