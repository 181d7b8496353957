import { RouterContextProvider } from "react-router"
import { expect, test } from "vitest"
import { emptySession, sessionContext } from "~/context/session.server"
import { entryChoices } from "./entry-choices.server"

test("what a link says is remembered, and the address is clean afterwards", async () => {
  const { location, choices } = await visit("/checkout/de-de?pid=1&email=ana@example.test")
  expect(location).toBe("/checkout/de-de")
  expect(choices).toMatchObject({ plan: "1", email: "ana@example.test" })
})

test("words in the address that are not ours stay there", async () => {
  expect((await visit("/checkout/?utm=mail&pid=1&ref=7")).location).toBe("/checkout/?utm=mail&ref=7")
})

test("nonsense is dropped from the address and changes nothing", async () => {
  const { location, choices } = await visit("/checkout/?pid=best&email=nobody")
  expect(location).toBe("/checkout/")
  expect(choices).toEqual(emptySession.choices)
})

test("a path that looks like another host stays on ours", async () => {
  expect((await visit("//evil.test/checkout?pid=1")).location).toBe("/evil.test/checkout")
})

test.each([
  ["an address without such words", "/checkout/?utm=mail", "GET"],
  ["a form", "/checkout/?pid=1", "POST"],
  ["what a program asks", "/checkout/api/getProduct?pid=1&email=ana@example.test", "GET"],
])("%s goes on as it is", async (_, path, method) => {
  expect((await visit(path, method)).location).toBeNull()
})

async function visit(path: string, method = "GET") {
  const url = new URL(`https://shop.test${path}`)
  const context = new RouterContextProvider()
  context.set(sessionContext, emptySession)
  const visitor = { request: new Request(url, { method }), url, pattern: "/:locale?", params: {}, context }
  let location: string | null = null
  try {
    await entryChoices(visitor, async () => new Response())
  } catch (thrown) {
    location = (thrown as Response).headers.get("location")
  }
  return { location, choices: context.get(sessionContext).choices }
}
