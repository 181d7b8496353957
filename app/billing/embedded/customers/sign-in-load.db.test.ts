import { rmSync } from "node:fs"
import { join } from "node:path"
import { expect, test, vi } from "vitest"
import * as passwordThreads from "~/security/password-threads.server"
import { catalogueFixture, placed } from "../../../../tests/contracts/billing/billing-fixtures"
import { createEmbeddedBilling } from "../../../../tests/contracts/billing/embedded-billing"
import { temporaryFolder } from "../../../../tests/support/temporary-folder"

/** More than the 4 threads of Node's pool, in which the flush of an order would queue behind the hashes. */
const SIGN_INS = 9

const { passwordCost } =
  await vi.importActual<typeof import("./password-cost.server")>("./password-cost.server")

test("an order is stored while sign-ins wait for password hashing", async () => {
  const folder = temporaryFolder()
  const backend = await createEmbeddedBilling(join(folder, "boxoffice.db"), catalogueFixture)
  const { deriveKey } = passwordThreads
  // At the cost of production, unlike in the other database tests.
  const { log2N, r, p } = passwordCost
  vi.spyOn(passwordThreads, "deriveKey").mockImplementation((task) =>
    deriveKey({ ...task, N: 2 ** log2N, r, p }),
  )
  let waiting = SIGN_INS
  const signIns = Array.from({ length: SIGN_INS }, async (_, nth) => {
    await backend.billing.signIn({ email: `visitor${nth}@example.test`, password: "correct horse" })
    waiting--
  })
  await placed(backend)
  expect(waiting).toBeGreaterThan(SIGN_INS / 2)
  await Promise.all(signIns)
  await backend.close()
  rmSync(folder, { recursive: true })
})
