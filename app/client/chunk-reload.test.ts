import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { reloadOnce } from "./chunk-reload"

const reload = vi.fn()
const cached = new Map<string, string>()

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-20T12:00:00Z") })
  vi.stubGlobal("location", { reload })
  vi.stubGlobal("navigator", { onLine: true })
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => cached.get(name) ?? null,
    setItem: (name: string, value: string) => void cached.set(name, value),
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  cached.clear()
  reload.mockClear()
})

test("a page with a missing chunk reloads once in 60 000 ms", () => {
  reloadOnce()
  vi.advanceTimersByTime(59_999)
  reloadOnce()
  expect(reload).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  reloadOnce()
  expect(reload).toHaveBeenCalledTimes(2)
})

test("offline nothing reloads, and the next failure counts as the first", () => {
  vi.stubGlobal("navigator", { onLine: false })
  reloadOnce()
  expect(reload).not.toHaveBeenCalled()
  vi.stubGlobal("navigator", { onLine: true })
  reloadOnce()
  expect(reload).toHaveBeenCalledTimes(1)
})

test("a browser without session storage never reloads", () => {
  const refuse = () => {
    throw new Error("The operation is insecure.")
  }
  vi.stubGlobal("sessionStorage", { getItem: refuse, setItem: refuse })
  reloadOnce()
  expect(reload).not.toHaveBeenCalled()
})
