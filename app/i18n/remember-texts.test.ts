import { expect, test, vi } from "vitest"
import { rememberTexts } from "./remember-texts"

test("a text is written once for each key and what fills its gaps", () => {
  const write = vi.fn((key: string, gaps?: { readonly amount: string }) => `${key} ${gaps?.amount ?? ""}`)
  const text = rememberTexts(write)
  expect([
    text("pay", { amount: "€1" }),
    text("pay", { amount: "€2" }),
    text("pay", { amount: "€1" }),
  ]).toEqual(["pay €1", "pay €2", "pay €1"])
  expect(text("check")).toBe("check ")
  expect(text("check")).toBe("check ")
  expect(write).toHaveBeenCalledTimes(3)
})

test("texts of ever new orders are not all kept, and those of every page are written seldom", () => {
  const write = vi.fn((key: string, gaps?: { readonly nth: number }) => `${key} ${gaps?.nth ?? ""}`)
  const text = rememberTexts(write)
  for (let nth = 0; nth < 1_000; nth++) {
    text("order", { nth })
    text("check")
  }
  expect(write.mock.calls.filter(([key]) => key === "check").length).toBeLessThan(5)
  write.mockClear()
  expect(text("order", { nth: 0 })).toBe("order 0")
  expect(write).toHaveBeenCalledExactlyOnceWith("order", { nth: 0 })
})
