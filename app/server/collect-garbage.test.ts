import { expect, test } from "vitest"
import { collectGarbage } from "./collect-garbage.server"

test("garbage collection frees unreferenced objects immediately", async () => {
  const garbage = new WeakRef(aMegabyte())
  // What a function has just looked at is held until it is left.
  await Promise.resolve()
  await collectGarbage()
  expect(garbage.deref()).toBeUndefined()
})

function aMegabyte(): object {
  return { bytes: Buffer.alloc(1_000_000) }
}
