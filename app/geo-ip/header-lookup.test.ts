import { expect, test } from "vitest"
import { headerCountry } from "./header-lookup.server"

test.each([
  ["GB", "GB"],
  [" ES ", "ES"],
  ["XX", "XX"],
  ["T1", "XX"],
  ["gb", "GB"],
  ["Es", "ES"],
  ["t1", "XX"],
  ["Spain", "XX"],
  ["GB, ES", "XX"],
  ["", "XX"],
])("the header value “%s” gives the country %s", async (text, country) => {
  const headers = new Headers({ "cf-ipcountry": text })
  expect(await headerCountry("CF-IPCountry")({ address: null, headers })).toBe(country)
})

test("a request without the header comes from an unknown country", async () => {
  expect(await headerCountry("cf-ipcountry")({ address: "8.8.8.8", headers: new Headers() })).toBe("XX")
})
