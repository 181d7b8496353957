import { expect, test } from "vitest"
import { localeOfIso } from "~/domain/locales"
import { redirectTo } from "./redirect-to.server"

test.each([
  ["en", "/", "/checkout/"],
  ["en", "/waiting", "/checkout/waiting"],
  ["de-DE", "/", "/checkout/de-de"],
  ["de-DE", "/waiting", "/checkout/de-de/waiting"],
])("in %s a redirect to %j has the spelling of the links: %j", (iso, path, location) => {
  const response = redirectTo(localeOfIso(iso), path)
  expect([response.status, response.headers.get("location")]).toEqual([303, location])
})
