import { expect, test } from "vitest"
import { percentText } from "./basis-points"

test("a rate is written in percent, with the places that it has", () => {
  expect([1_900, 750, 1_925, 0].map(percentText)).toEqual(["19 %", "7.5 %", "19.25 %", "0 %"])
})
