import { afterEach, expect, test, vi } from "vitest"
import { fetchOrderVersion, type OrderStatusJson, reloadWhenOrderChanges } from "./fetch-order-version"

afterEach(() => vi.unstubAllGlobals())

/** The names in the answer are those that pages of every release read: they do not change with names in the code. */
function answers(mark: string) {
  const status: OrderStatusJson = { status: "awaiting-payment", mark }
  vi.stubGlobal("fetch", async () => Response.json(status))
}

test("reads the version of the order from the member mark of the answer", async () => {
  answers("7")
  expect(await fetchOrderVersion(null, AbortSignal.timeout(1_000))).toBe("7")
})

test("the script of a page without another one reloads once the mark has changed", async () => {
  const reload = vi.fn()
  const polls: (() => Promise<void>)[] = []
  vi.stubGlobal("location", { reload })
  vi.stubGlobal("setInterval", (poll: () => Promise<void>) => polls.push(poll))
  answers("7")
  new Function(reloadWhenOrderChanges)()
  await polls[0]?.()
  await polls[0]?.()
  expect(reload).not.toHaveBeenCalled()
  answers("8")
  await polls[0]?.()
  expect(reload).toHaveBeenCalledOnce()
})
