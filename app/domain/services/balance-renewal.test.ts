import { expect, test } from "vitest"
import { money } from "../money/money"
import { missingCredit } from "./balance-renewal"

const euro = (minor: number) => money(minor, "EUR")
const ending = (id: string, paidUntil: number, minor: number, balanceRenewal = true) => ({
  service: { id, paidUntil, balanceRenewal },
  unit: euro(minor),
})
const own = ending("own", 10, 9_89)

test("nothing is missing of account credit that covers the price, and the difference otherwise", () => {
  expect(missingCredit(own, { credit: euro(9_89), others: [] })).toEqual(euro(0))
  expect(missingCredit(own, { credit: euro(9_88), others: [] })).toEqual(euro(1))
  expect(missingCredit(own, { credit: euro(-5_00), others: [] })).toEqual(euro(9_89))
})

test("a service that ends before it and is renewed from the credit too has its price first", () => {
  const others = [own, ending("later", 11, 9_89), ending("earlier", 9, 9_89)]
  expect(missingCredit(own, { credit: euro(15_00), others })).toEqual(euro(4_78))
  expect(missingCredit(own, { credit: euro(19_78), others })).toEqual(euro(0))
  expect(missingCredit(own, { credit: euro(9_89), others })).toEqual(euro(9_89))
})

test("of several that end before it the first has its price first, in whatever order they are listed", () => {
  const others = [ending("second", 9, 10_00), ending("first", 8, 9_89)]
  expect(missingCredit(own, { credit: euro(15_00), others })).toEqual(euro(4_78))
})

test("of two that end at the same moment one is renewed first, and the credit counts once", () => {
  const [one, other] = [ending("a", 10, 9_89), ending("b", 10, 9_89)]
  const others = [one, other]
  expect(missingCredit(one, { credit: euro(9_89), others })).toEqual(euro(0))
  expect(missingCredit(other, { credit: euro(9_89), others })).toEqual(euro(9_89))
})

test("a service that the credit does not cover, or that is not renewed from it, takes nothing of it", () => {
  const others = [ending("dearer", 8, 79_00), ending("without consent", 9, 9_89, false)]
  expect(missingCredit(own, { credit: euro(10_00), others })).toEqual(euro(0))
})
