import { expect, test } from "vitest"
import { collectGarbage } from "./collect-garbage.server"

test("garbage collection frees unreferenced objects immediately", async () => {
  const garbage = new WeakRef(aMegabyte())
  // A WeakRef keeps its target alive until the current job ends (ECMAScript, KeepDuringJob).
  await Promise.resolve()
  await collectGarbage()
  expect(garbage.deref()).toBeUndefined()
})

function aMegabyte(): object {
  return { bytes: Buffer.alloc(1_000_000) }
}
