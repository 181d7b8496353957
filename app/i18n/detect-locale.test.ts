import { describe, expect, test } from "vitest"
import { detectIncomingLocale, detectLocale } from "./detect-locale.server"

type Sent = { path?: string; languages?: string; cookie?: string }

async function detected({ path = "/checkout/", languages, cookie }: Sent): Promise<string> {
  const headers = new Headers()
  if (languages !== undefined) headers.set("accept-language", languages)
  if (cookie !== undefined) headers.set("cookie", cookie)
  return (await detectLocale(new Request(`https://shop.example${path}`, { headers }))).code
}

describe("Accept-Language", () => {
  test.each([
    ["de-DE, en", "de-de"],
    ["fr, de", "de-de"],
    ["fr-FR, es", "es-es"],
    ["de-AT", "de-de"],
    ["nl", "nl-nl"],
    ["pt-BR", "pt-pt"],
    ["es-419", "es-es"],
    ["de-Latn-CH", "de-de"],
    ["en-GB", "en-gb"],
    ["EN-gb", "en-gb"],
    ["en-AU", "en-gb"],
    ["en-ie, de", "en-gb"],
    ["en-US, de", "en-en"],
    ["EN-us", "en-en"],
    ["fr, ja", "en-en"],
  ])("%j is answered in %s", async (languages, code) => {
    expect(await detected({ languages })).toBe(code)
  })

  test.each([
    ["de;q=0.5, nl;q=0.9", "nl-nl"],
    ["en;q=0.1, es;q=0.2", "es-es"],
    ["de;q=0, nl;q=0.1", "nl-nl"],
    ["fr;q=1, en-GB;q=0.8, de;q=0.8", "en-gb"],
    ["de; q=0.3, pt ; q=0.4", "pt-pt"],
  ])("%j is answered in %s, by q-values", async (languages, code) => {
    expect(await detected({ languages })).toBe(code)
  })

  test.each([
    ["*", "en-en"],
    ["*, de;q=0.5", "de-de"],
    ["fr, *;q=0.1", "en-en"],
  ])("a wildcard names no language: %j is answered in %s", async (languages, code) => {
    expect(await detected({ languages })).toBe(code)
  })

  test.each(["", " ", "-", ",,;q=", "de_DE", "english", ";;;", "q=1", "__proto__", "x".repeat(9_000)])(
    "%.20j is answered in the default",
    async (languages) => {
      expect(await detected({ languages })).toBe("en-en")
    },
  )

  test("a request without the header is answered in the default", async () => {
    expect(await detected({})).toBe("en-en")
  })
})

test("the cookie comes before Accept-Language", async () => {
  expect(await detected({ languages: "de", cookie: "browserLang=nl-nl" })).toBe("nl-nl")
  expect(await detected({ languages: "de", cookie: "a=b; browserLang=en-en" })).toBe("en-en")
})

test.each(["browserLang=", "browserLang=xx", "browserLang=DE-DE", "browserlang=nl-nl", "b; ;="])(
  "the cookie %j counts for nothing",
  async (cookie) => {
    expect(await detected({ languages: "de", cookie })).toBe("de-de")
  },
)

test("the prefix comes before the cookie and Accept-Language", async () => {
  const sent = { languages: "de", cookie: "browserLang=nl-nl" }
  expect(await detected({ ...sent, path: "/checkout/es-es" })).toBe("es-es")
  expect(await detected({ ...sent, path: "/checkout/pt-pt/success?lang=de-DE" })).toBe("pt-pt")
})

test.each(["/checkout/fr-fr", "/checkout/waiting", "/de-de", "/checkoutx/de-de", "/checkout/DE-DE", "/"])(
  "the path %j has no prefix of a locale",
  async (path) => {
    expect(await detected({ path, languages: "nl" })).toBe("nl-nl")
  },
)

test("the locale of a request that is no Request yet follows the same rule", async () => {
  const headers = { cookie: "browserLang=nl-nl", "accept-language": "de" }
  expect((await detectIncomingLocale({ url: "/checkout/es-es/waiting", headers })).code).toBe("es-es")
  expect((await detectIncomingLocale({ url: "/checkout/", headers })).code).toBe("nl-nl")
  expect((await detectIncomingLocale({ url: "*", headers: { "accept-language": "de" } })).code).toBe("de-de")
  expect((await detectIncomingLocale({ headers: {} })).code).toBe("en-en")
})
