import { expect, test } from "vitest"
import { formOf, jsonOf, MAX_FORM_FIELDS } from "./form.server"

test("a form comes as it was sent, as long as it has no more fields than a person could fill in", async () => {
  expect([...(await sent("plan=3&email=a%40b.test"))]).toEqual([
    ["plan", "3"],
    ["email", "a@b.test"],
  ])
  expect([...(await sent("a=1&".repeat(MAX_FORM_FIELDS)))]).toHaveLength(MAX_FORM_FIELDS)
})

test("a form with fields without number is one left empty, before anybody sorts them", async () => {
  expect([...(await sent("a=1&".repeat(MAX_FORM_FIELDS + 1)))]).toEqual([])
  const start = performance.now()
  expect([...(await sent("a=1&".repeat(15_000)))]).toEqual([])
  expect(performance.now() - start).toBeLessThan(1_000)
})

test("what is no form at all is one left empty", async () => {
  expect([...(await sent('{"plan":1}', "application/json"))]).toEqual([])
})

test("what no engine of the books could keep is left out of forms and of JSON, however deep it is", async () => {
  expect([...(await sent("plan=3%00&em%00ail=%00a%40b.test"))]).toEqual([
    ["plan", "3"],
    ["em\0ail", "a@b.test"],
  ])
  const request = (body: string) => new Request("https://shop.test/", { method: "POST", body })
  expect(await jsonOf(request('{"a":["\\u0000b"],"c":1}'))).toEqual({ a: ["b"], c: 1 })
  expect(await jsonOf(request('{"a":'))).toBeNull()
})

function sent(body: string, type = "application/x-www-form-urlencoded"): Promise<FormData> {
  return formOf(
    new Request("https://shop.test/", { method: "POST", body, headers: { "content-type": type } }),
  )
}
