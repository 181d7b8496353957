import { rmSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { BillingOverloaded } from "~/billing/billing"
import { catalogueFixture, placed } from "../../../../tests/contracts/billing/billing-fixtures"
import { createEmbeddedBilling } from "../../../../tests/contracts/billing/embedded-billing"
import { temporaryFolder } from "../../../../tests/support/temporary-folder"

const SIGN_INS = 60
const ORDERS = 30

// If a hash blocked the event loop, or the disk's flushes queued behind hashes in Node's thread pool, the first order would be placed after
// the last sign-in. Counted instead of timed, because other programs slow both down.
test("30 orders are placed before half of the sign-ins that wait for their password's hash are answered", async () => {
  const folder = temporaryFolder()
  const backend = await createEmbeddedBilling(join(folder, "boxoffice.db"), catalogueFixture)
  let answered = 0
  const signIn = async (nth: number) => {
    try {
      await backend.billing.signIn({ email: `visitor${nth}@example.test`, password: "correct horse" })
      answered++
    } catch (error) {
      expect(error).toBeInstanceOf(BillingOverloaded)
    }
  }
  const signIns = Promise.all(Array.from({ length: SIGN_INS }, (_, nth) => signIn(nth)))
  for (let order = 0; order < ORDERS; order++) await placed(backend)
  const answeredBefore = answered
  await signIns
  expect(answeredBefore).toBeLessThan(answered / 2)
  await backend.close()
  rmSync(folder, { recursive: true })
})
