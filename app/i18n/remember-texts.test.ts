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

test("texts with ever new amounts are not all kept", () => {
  const write = vi.fn((key: string, gaps?: { readonly nth: number }) => `${key} ${gaps?.nth}`)
  const text = rememberTexts(write)
  for (let nth = 0; nth < 3_000; nth++) text("pay", { nth })
  write.mockClear()
  expect(text("pay", { nth: 0 })).toBe("pay 0")
  expect(write).toHaveBeenCalledOnce()
})
