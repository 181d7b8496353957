import { RouterContextProvider } from "react-router"
import { expect, test } from "vitest"
import { emptySession, sessionContext } from "~/context/session.server"
import { entryChoices } from "./entry-choices.server"

test("stores the parameters of an entry link and removes them from the URL", async () => {
  const { location, choices } = await visit("/checkout/de-de?pid=1&email=ana@example.test")
  expect(location).toBe("/checkout/de-de")
  expect(choices).toMatchObject({ plan: "1", email: "ana@example.test" })
})

test("keeps unknown query parameters in the URL", async () => {
  expect((await visit("/checkout/?utm=mail&pid=1&ref=7")).location).toBe("/checkout/?utm=mail&ref=7")
})

test("drops invalid parameters without changing the session", async () => {
  const { location, choices } = await visit("/checkout/?pid=best&email=nobody")
  expect(location).toBe("/checkout/")
  expect(choices).toEqual(emptySession.choices)
})

test.each([
  ["another selection has to be reviewed again", "pid=2", null],
  ["the same selection keeps the review", "pid=1", { key: "draft-1", total: 1_499 }],
])("after a link with %s", async (_, query, kept) => {
  const choices = { ...emptySession.choices, plan: "1" }
  const reviewed = { ...emptySession, choices, draft: { key: "draft-1", total: 1_499 } }
  expect((await visit(`/checkout/?${query}`, "GET", reviewed)).draft).toEqual(kept)
})

test("a path with two leading slashes does not redirect to another host", async () => {
  expect((await visit("//evil.test/checkout?pid=1")).location).toBe("/evil.test/checkout")
})

test.each([
  ["a URL without known parameters", "/checkout/?utm=mail", "GET"],
  ["a form", "/checkout/?pid=1", "POST"],
])("passes %s on unchanged", async (_, path, method) => {
  expect((await visit(path, method)).location).toBeNull()
})

async function visit(path: string, method = "GET", session = emptySession) {
  const url = new URL(`https://shop.test${path}`)
  const context = new RouterContextProvider()
  context.set(sessionContext, session)
  const visitor = { request: new Request(url, { method }), url, pattern: "/:locale?", params: {}, context }
  let location: string | null = null
  try {
    await entryChoices(visitor, async () => new Response())
  } catch (thrown) {
    location = (thrown as Response).headers.get("location")
  }
  const { choices, draft } = context.get(sessionContext)
  return { location, choices, draft }
}
