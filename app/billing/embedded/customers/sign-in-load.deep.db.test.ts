import { rmSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { BillingOverloaded } from "~/billing/billing"
import { catalogueFixture, placed } from "../../../../tests/contracts/billing/billing-fixtures"
import { createEmbeddedBilling } from "../../../../tests/contracts/billing/embedded-billing"
import { temporaryFolder } from "../../../../tests/support/temporary-folder"

const SIGN_INS = 60
const ROUNDS = 3
const ORDERS = 30

test("p95 of placing an order at most triples while 60 sign-ins wait for password hashing", async () => {
  const folder = temporaryFolder()
  const backend = await createEmbeddedBilling(join(folder, "boxoffice.db"), catalogueFixture)
  const orders = async () => {
    const times: number[] = []
    for (let order = 0; order < ORDERS; order++) {
      const start = performance.now()
      await placed(backend)
      times.push(performance.now() - start)
    }
    return times
  }
  await orders()
  const alone: number[] = []
  const parallel: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(...(await orders()))
    const signIns = Array.from({ length: SIGN_INS }, (_, nth) =>
      backend.billing.signIn({ email: `visitor${nth}@example.test`, password: "correct horse" }),
    )
    const checked = Promise.allSettled(signIns)
    parallel.push(...(await orders()))
    for (const signIn of await checked) {
      if (signIn.status === "rejected") expect(signIn.reason).toBeInstanceOf(BillingOverloaded)
    }
  }
  expect(p95(parallel)).toBeLessThanOrEqual(3 * p95(alone))
  await backend.close()
  rmSync(folder, { recursive: true })
})

function p95(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor(0.95 * sorted.length)] ?? Infinity
}
