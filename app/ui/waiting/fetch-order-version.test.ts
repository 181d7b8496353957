import { afterEach, expect, test, vi } from "vitest"
import { fetchOrderVersion, type OrderStatusJson, reloadWhenOrderChanges } from "./fetch-order-version"

afterEach(() => vi.unstubAllGlobals())

/** The member names are a wire format that pages of earlier releases read, so they must not be renamed. */
function respondWith(mark: string) {
  const status: OrderStatusJson = { status: "awaiting-payment", mark }
  vi.stubGlobal("fetch", async () => Response.json(status))
}

test("reads the order version from the mark member of the response", async () => {
  respondWith("7")
  expect(await fetchOrderVersion(null, AbortSignal.timeout(1_000))).toBe("7")
})

test("an order that the browser has no more is another version than any order", async () => {
  vi.stubGlobal("fetch", async () => new Response(null, { status: 404 }))
  expect(await fetchOrderVersion(null, AbortSignal.timeout(1_000))).toBe("")
})

test("an error of the shop is no version", async () => {
  vi.stubGlobal("fetch", async () => new Response(null, { status: 503 }))
  await expect(fetchOrderVersion(null, AbortSignal.timeout(1_000))).rejects.toThrow("503")
})

test("the inline script of a page without client bundle reloads when the mark changes", async () => {
  const reload = vi.fn()
  const polls: (() => Promise<void>)[] = []
  vi.stubGlobal("location", { reload })
  vi.stubGlobal("setInterval", (poll: () => Promise<void>) => polls.push(poll))
  respondWith("7")
  new Function(reloadWhenOrderChanges)()
  await polls[0]?.()
  await polls[0]?.()
  expect(reload).not.toHaveBeenCalled()
  respondWith("8")
  await polls[0]?.()
  expect(reload).toHaveBeenCalledOnce()
})
