import { expect, test } from "vitest"
import { isTracked } from "./analytics"

const page = (address: string) => new URL(address, "https://shop.example")

test.each(["/checkout/", "/checkout/de-de", "/checkout/en-gb/", "/checkout/?promocode=X"])(
  "tracks the page %s",
  (address) => {
    expect(isTracked(page(address))).toBe(true)
  },
)

test.each([
  "/checkout/waiting",
  "/checkout/de-de/success",
  "/checkout/creatingOrder",
  "/checkout/upsell",
  "/checkout/resellers",
  "/checkout/resellers/success",
  "/checkout/?signin",
  "/checkout/fr-fr",
  "/",
])("does not track %s, which is not the viewers' plans page", (address) => {
  expect(isTracked(page(address))).toBe(false)
})
