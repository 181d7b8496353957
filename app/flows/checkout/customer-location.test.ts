import { expect, test } from "vitest"
import { customerLocation } from "./customer-location.server"

const shop = { defaultCountry: "MA", fallbackAddress: "192.0.2.1" } as Parameters<
  typeof customerLocation
>[0]["shop"]

test.each([
  [
    "is where they are",
    { country: "ES", address: "93.184.216.34" },
    { country: "ES", address: "93.184.216.34" },
  ],
  [
    "whose country is unknown is in the operator's",
    { country: "XX", address: "93.184.216.34" },
    { country: "MA", address: "93.184.216.34" },
  ],
  [
    "whose address is unknown has the operator's",
    { country: "ES", address: null },
    { country: "ES", address: "192.0.2.1" },
  ],
])("a customer %s", (_, found, recorded) => {
  expect(customerLocation({ shop }, found)).toEqual(recorded)
})
